/** What somebody has opened, and ends. */
export interface Resource {
  close(): void | Promise<void>;
}

/** What has been opened one on top of another. It is closed in the opposite order, together and once. */
export class Resources implements Resource {
  readonly #opened: Resource[] = [];
  #closed: Promise<void> | undefined;

  /**
   * Opens what belongs together with `open`, which adds to the resources what they have to close: at once, if a later step
   * of it fails.
   *
   * @throws what `open` throws.
   */
  static async open<T>(open: (resources: Resources) => Promise<T>): Promise<T> {
    const resources = new Resources();
    try {
      return await open(resources);
    } catch (error) {
      await resources.close();
      throw error;
    }
  }

  /** Takes over the end of what has been opened, which it gives back. */
  add<T extends Resource>(resource: T): T {
    this.#opened.push(resource);
    return resource;
  }

  /** Closes everything, the last opened first. However often it is asked to, it does so once. */
  close(): Promise<void> {
    this.#closed ??= this.#closeAll();
    return this.#closed;
  }

  async #closeAll(): Promise<void> {
    for (const resource of this.#opened.toReversed()) await resource.close();
  }
}
