import LibAV

/// A track's samples one after the other, in one form. Used on the output's queue only.
protocol SampleSequence: AnyObject {
  /// The next sample; nil at the end of the range.
  func next(allocator: any BlockAllocator) throws(EngineError) -> SampleBuffer?
}
