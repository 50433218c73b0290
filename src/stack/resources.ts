/** What a start has opened, in the order in which it was opened. It is closed in the opposite order. */
export type Resources = { close(): void | Promise<void> }[];

/** Closes everything, the last opened first. */
export async function closeResources(resources: Resources): Promise<void> {
  for (const resource of resources.toReversed()) await resource.close();
}
