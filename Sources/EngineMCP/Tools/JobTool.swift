import JSONRPC

/// Reports on work that continues, or ends it.
enum JobTool {
  static let tool = Tool(
    name: "job",
    description:
      "The state, progress and result of long work, or its end: action \"status\" (waits for the end up to wait_seconds) or \"cancel\".",
    input: ObjectSchema([
      .init(name: "job", schema: Schema.text(), isRequired: true),
      .init(name: "action", schema: Schema.choice(["status", "cancel"])),
      .init(name: "wait_seconds", schema: Schema.integer(0...50)),
    ]),
    effect: .job, run: run)

  private static func run(_ call: ToolCall) async throws -> ToolOutput {
    let arguments = call.arguments
    let id =
      switch arguments["job"] {
      case .string(let text)?: text.trimmed
      case .number(let text)?: text
      default: try arguments.required("job")
      }
    let job = try call.jobs.job(id)
    let wait = try arguments.seconds("wait_seconds", in: 0...50, default: 0)
    if try arguments.choice("action", among: ["status", "cancel"]) == "cancel" {
      job.cancel()
      await job.workEnded()
      return job.state
    }
    _ = await job.ended(within: wait, report: call.report)
    return job.state
  }
}
