/// The settings of outputs, each of which is for outputs of some types.
extension CaptureConfiguration.OutputSettings {
  /// The problems of the settings for an output of a type: those that are stated, and are for others.
  ///
  /// The settings of photos are those of their requests, and the settings of files are those of recordings.
  public func problems(of type: CaptureConfiguration.OutputType) -> [EngineError.Problem] {
    let video = [
      ("/pixelFormat", pixelFormat != nil), ("/width", width != nil), ("/height", height != nil),
      ("/maxFrameRate", maxFrameRate != nil),
    ]
    let audio = [
      ("/sampleFormat", sampleFormat != nil), ("/sampleRate", sampleRate != nil),
      ("/channels", channels != nil),
    ]
    let (ofVideo, ofAudio) =
      switch type {
      case .videoData, .preview: (false, true)
      case .audioData: (true, false)
      case .movieFile, .audioFile, .photo: (true, true)
      }
    func problems(_ settings: [(path: String, isStated: Bool)], _ kind: String)
      -> [EngineError.Problem]
    {
      settings.filter { $0.isStated }.map { setting in
        EngineError.Problem(
          path: setting.path, expected: "nothing, of an output \(type.rawValue)",
          got: "a setting of \(kind)")
      }
    }
    return (ofVideo ? problems(video, "video") : []) + (ofAudio ? problems(audio, "audio") : [])
  }
}
