import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension Engine {
  /// Registers the handlers of `audioMix/*`.
  func registerAudioMixes(in router: inout EngineRouter) {
    serve(AudioMixVolumeRamp.self, volumeRamp, in: &router)
  }

  @Sendable private func volumeRamp(
    _ request: AudioMixVolumeRamp, _ context: RequestContext
  ) async throws -> AudioMixVolumeRamp.Result {
    let path = "/audioMix"
    var problems: [EngineError.Problem] = []
    let mix = AudioMix(request.audioMix, at: "", &problems)
    problems += mix.problems(known: nil)
    if let error = ErrorObject(problems, at: path) { throw error }
    let ramp = mix.volumeRamp(ofTrack: request.trackID, at: request.time.time)
    return AudioMixVolumeRamp.Result(ramp: ramp.map(WireNumberRamp.init))
  }
}
