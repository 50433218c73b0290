/** Something open that must be closed. */
export interface Resource {
  close(): void | Promise<void>;
}

/** Open resources, which are closed once, in reverse order. */
export class Resources implements Resource {
  readonly #opened: Resource[] = [];
  #closed: Promise<void> | undefined;

  /**
   * Runs `open`, which adds what it opens. If a later step fails, everything is closed.
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

  /** Adds a resource and returns it. */
  add<T extends Resource>(resource: T): T {
    this.#opened.push(resource);
    return resource;
  }

  /** Closes everything once, the last opened first. */
  close(): Promise<void> {
    this.#closed ??= this.#closeAll();
    return this.#closed;
  }

  async #closeAll(): Promise<void> {
    for (const resource of this.#opened.toReversed()) await resource.close();
  }
}
