/** What somebody has opened, and ends. */
export interface Resource {
  close(): void | Promise<void>;
}

/** What has been opened one on top of another. It is closed in the opposite order, together and once. */
export class Resources implements Resource {
  readonly #opened: Resource[] = [];
  #closed: Promise<void> | undefined;

  /**
   * Runs `open`, which adds what it opens to the resources. If a later step of it fails, they are closed
   * again.
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
