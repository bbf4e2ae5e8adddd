/// What an export is to make of an asset, whoever asks for it.
struct ExportRequest {
  let preset: ExportPreset
  let fileType: FileType
  let configuration: ExportConfiguration
}
