/** Cuts a stream of bytes into lines of any length, looking at each byte once. */
export class Lines {
  #parts = [];

  /** The lines that a chunk completes, without their ends. */
  *feed(chunk) {
    let start = 0;
    for (let end; (end = chunk.indexOf(10, start)) >= 0; start = end + 1) {
      yield this.#complete(chunk.subarray(start, end));
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start));
  }

  /** The remaining data when the stream has ended. */
  end() {
    return this.#complete(Buffer.alloc(0));
  }

  #complete(last) {
    if (this.#parts.length === 0) return last;
    const line = Buffer.concat([...this.#parts, last]);
    this.#parts = [];
    return line;
  }
}
