/// All tools, in the order of the list.
enum ToolCatalog {
  static let all: [Tool] = [
    ProbeTool.tool, FramesTool.tool, SheetTool.tool, CutsTool.tool, WaveformTool.tool,
    ListenTool.tool, SubtitlesTool.tool, ListTool.tool, ExportTool.tool, JoinTool.tool,
    ComposeTool.tool,
    JobTool.tool,
  ]
}
