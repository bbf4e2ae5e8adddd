import Foundation
import MediaTime
import TestSupport
import Testing

@testable import MediaEngine

/// Silences and loudness against ffmpeg's own filters, and scene changes against frames that are known.
struct AnalysisTests {
  private let fixtures: Fixtures

  init() throws { fixtures = try Fixtures() }

  /// A report of one of ffmpeg's filters.
  private func report(_ path: String, _ filter: String) throws -> String {
    let command =
      "ffmpeg -nostdin -hide_banner -i '\(path)' -map 0:a:0 -af '\(filter)' -f null - 2>&1"
    return String(decoding: try output(of: ["sh", "-c", command]), as: UTF8.self)
  }

  private func numbers(_ report: String, _ name: String) -> [Double] {
    report.components(separatedBy: "\n").flatMap { line -> [Double] in
      line.components(separatedBy: name).dropFirst().compactMap {
        Double($0.drop(while: { $0 == " " }).prefix { !" |\r".contains($0) })
      }
    }
  }

  // Scene changes

  @Test(arguments: [
    ("cuts.mp4", "-c:v libx264 -bf 3 -g 250 -pix_fmt yuv420p"),
    ("open.ts", "-r 25 -c:v mpeg2video -bf 2 -g 12 -pix_fmt yuv420p"),
    ("intra.mov", "-c:v prores_ks"), ("small.gif", ""),
  ])
  func cutsAreFoundToTheFrame(_ name: String, _ options: String) async throws {
    let path = try fixtures.make(
      name,
      "-f lavfi -i testsrc=s=160x90:r=25:d=0.8 -f lavfi -i mandelbrot=s=160x90:r=25 "
        + "-f lavfi -i smptebars=s=160x90:r=25:d=1.2 -filter_complex "
        + "[1]trim=end_frame=25,setpts=PTS-STARTPTS[m];[0][m][2]concat=n=3:v=1:a=0 " + options)
    let asset = URLAsset(url: path)
    let found = try await asset.sceneChanges()
    #expect(found.changes.map(\.sampleIndex) == [20, 45])
    let right = try fixtures.probe(path, "-select_streams v:0 -show_entries frame=pts_time")
    let origin = try #require(Double(right[0].replacingOccurrences(of: ",", with: "")))
    for (change, number) in zip(found.changes, [20, 45]) {
      let time = try #require(Double(right[number].replacingOccurrences(of: ",", with: "")))
      #expect(abs(change.time.seconds - (time - origin)) < 0.00101)
      #expect(change.score > 0.5 && change.score <= 1)
    }
  }

  /// Frames of different lengths.
  @Test func variableRatesAreExact() async throws {
    let path = try fixtures.make(
      "vfr.mkv",
      "-f lavfi -i testsrc=s=160x90:r=25:d=2 -f lavfi -i mandelbrot=s=160x90:r=25 "
        + "-filter_complex [1]trim=end_frame=50,setpts=PTS-STARTPTS[m];[0][m]concat=n=2:v=1:a=0,"
        + "select=not(mod(n\\,7))+not(mod(n\\,5))+eq(n\\,50),setpts=PTS+0.004/TB*mod(N\\,3) "
        + "-fps_mode passthrough -c:v libx264 -pix_fmt yuv420p")
    let found = try await URLAsset(url: path).sceneChanges()
    #expect(found.changes.count == 1)
    let change = try #require(found.changes.first)
    let times = try fixtures.probe(path, "-select_streams v:0 -show_entries frame=pts_time")
      .compactMap { Double($0.replacingOccurrences(of: ",", with: "")) }
    // The first frame that is at least two seconds in.
    let number = try #require(times.firstIndex { $0 >= 1.999 })
    #expect(change.sampleIndex == number)
    #expect(abs(change.time.seconds - times[number]) < 0.00101)
  }

  // Silences

  @Test(arguments: [
    ("s16.wav", "-c:a pcm_s16le"), ("f32.mov", "-c:a pcm_f32le"), ("flac.flac", "-c:a flac"),
  ])
  func silencesAreThoseOfSilencedetect(_ name: String, _ options: String) async throws {
    let path = try fixtures.make(
      name,
      "-f lavfi -i aevalsrc=exprs=if(lt(mod(t\\,1.3)\\,0.6)\\,0.3*sin(2764*t)\\,0.001*sin(99*t))"
        + "|if(lt(mod(t\\,2.1)\\,1.0)\\,0.2*sin(1764*t)\\,0):s=44100:d=9 " + options)
    for (threshold, shortest) in [(-50.0, 0.1), (-50, 0.3), (-70, 0.05), (-20, 0.2)] {
      var settings = Silences.Configuration()
      settings.threshold = threshold
      settings.minimumDuration = Time(value: Int64(shortest * 1000), timescale: 1000)
      let found = try await URLAsset(url: path).silences(settings)
      let report = try report(path, "silencedetect=n=\(threshold)dB:d=\(shortest)")
      let starts = numbers(report, "silence_start:")
      let ends = numbers(report, "silence_end:")
      #expect(found.ranges.count == starts.count && starts.count == ends.count)
      for (range, (start, end)) in zip(found.ranges, zip(starts, ends)) {
        // It prints six digits.
        #expect(abs(range.start.seconds - start) < 0.00003, "\(range) \(start)")
        #expect(abs(range.end.seconds - end) < 0.00003, "\(range) \(end)")
      }
    }
  }

  // Loudness

  @Test(arguments: [
    ("mono.wav", "mono", 44100, "pcm_s16le"), ("stereo.wav", "stereo", 48000, "pcm_s24le"),
    ("surround.mov", "5.1", 48000, "pcm_f32le"), ("side.flac", "5.1(side)", 48000, "flac"),
    ("fast.wav", "stereo", 96000, "pcm_f32le"), ("8000.wav", "mono", 8000, "pcm_s16le"),
    ("11025.wav", "stereo", 11025, "pcm_s16le"), ("16000.wav", "5.1", 16000, "pcm_f32le"),
    ("22050.wav", "stereo", 22050, "pcm_s16le"), ("32000.wav", "mono", 32000, "pcm_s16le"),
    ("lossy.mp4", "stereo", 44100, "aac"),
  ])
  func loudnessIsThatOfEBUR128(
    _ name: String, _ layout: String, _ rate: Int, _ codec: String
  ) async throws {
    // Tones whose frequency and loudness change, in each channel others. Of noise up to half the rate true peaks
    // depend on the filter.
    let channels = (1...channels(layout)).map { number in
      "\(0.4 / Double(number))*sin(\(900 * number)*t+3*sin(\(6 + number)*t))"
        + "*(0.1+mod(floor(t/\(number + 2))\\,4)/4)+0.1*sin(5500*t+sin(13*t))*sin(3*t)"
    }
    let path = try fixtures.make(
      name,
      "-f lavfi -i aevalsrc=exprs=\(channels.joined(separator: "|")):c=\(layout):s=\(rate):d=20 "
        + "-c:a \(codec)")
    let found = try await URLAsset(url: path).loudness()
    // Of low rates its filters have another response than the recommendation's, which are of 48 kHz.
    let resampling = rate < 44100 ? "aresample=48000," : ""
    let summary = try report(path, resampling + "ebur128=peak=true")
    let sampled = try report(path, "ebur128=peak=sample")
    let samplePeak = try #require(numbers(sampled, "    Peak: ").last)
    let integrated = try #require(numbers(summary, "    I: ").last)
    let range = try #require(numbers(summary, "    LRA: ").last)
    let truePeak = try #require(numbers(summary, "    Peak: ").last)
    #expect(abs(try #require(found.integrated) - integrated) <= 0.1)
    // Of windows that begin a tenth of a second earlier or later, rounded to samples.
    #expect(abs(try #require(found.range) - range) <= 0.3)
    #expect(abs(try #require(found.samplePeak) - samplePeak) <= 0.1)
    #expect(abs(try #require(found.truePeak) - truePeak) <= 0.1)
    #expect(found.sampleRate == rate && found.channelLayout == layout)
    let momentary = numbers(summary, " M:").max()
    #expect(abs(try #require(found.maximumMomentary) - (try #require(momentary))) <= 0.15)
    let shortTerm = numbers(summary, " S:").max()
    #expect(abs(try #require(found.maximumShortTerm) - (try #require(shortTerm))) <= 0.15)
  }

  private func channels(_ layout: String) -> Int {
    layout.hasPrefix("5.1") ? 6 : layout == "stereo" ? 2 : 1
  }

  /// The header of an MP3 without a table of its frames leads to an estimate, which ends too early here.
  @Test func allOfAFileWithAnEstimatedDurationIsMeasured() async throws {
    let path = try fixtures.make(
      "estimate.mp3",
      "-f lavfi -i aevalsrc=0.5*sin(700*t)*lt(t\\,3)+0.01*sin(500*t)+0.2*gte(t\\,5)*random(0)"
        + ":s=44100:d=8 -c:a libmp3lame -q:a 6 -write_xing 0")
    let found = try await URLAsset(url: path).loudness()
    let samples = try fixtures.probe(path, "-select_streams a:0 -show_entries frame=nb_samples")
      .compactMap { Int($0.filter(\.isNumber)) }.reduce(0, +)
    #expect(found.timeRange.duration.seconds == Double(samples) / 44100)
    let summary = try report(path, "ebur128=peak=true")
    let integrated = try #require(numbers(summary, "    I: ").last)
    #expect(abs(try #require(found.integrated) - integrated) <= 0.1)
  }

  @Test func silenceHasNoLoudness() async throws {
    let path = try fixtures.make("silent.wav", "-f lavfi -i anullsrc=r=8000:cl=stereo:d=5")
    let found = try await URLAsset(url: path).loudness()
    #expect(found.integrated == nil && found.range == nil && found.maximumMomentary == nil)
    #expect(found.truePeak == nil && found.samplePeak == nil && found.channelLayout == "stereo")
    let short = try fixtures.make("short.wav", "-f lavfi -i sine=440:r=8000:d=0.3")
    let tone = try await URLAsset(url: short).loudness()
    #expect(tone.integrated == nil && tone.maximumMomentary == nil && tone.truePeak != nil)
  }
}
