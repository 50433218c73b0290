/** Which answers count of those that come in whatever order. */
export class LatestAnswer {
  #who: string | null = null;
  #asked = 0;
  #told = 0;

  /**
   * Asks somebody, or for something, once more; null asks nobody. What is returned says of the answer, when it
   * has come, whether it counts: it is of those who are asked now, and no later one has come before. That
   * others were asked for since is no reason against it: where something happens all the time, each answer
   * comes after the next question.
   */
  begin(who: string | null): () => boolean {
    const turn = ++this.#asked;
    if (this.#who !== who) this.#told = turn;
    this.#who = who;
    return () => {
      if (this.#who !== who || turn < this.#told) return false;
      this.#told = turn;
      return true;
    };
  }
}
