/** What others stand on, in the order in which it was opened. It is closed in the opposite order. */
export type Grounds = { close(): void | Promise<void> }[];

/** Closes everything, the last opened first. */
export async function closeGrounds(grounds: Grounds): Promise<void> {
  for (const ground of grounds.toReversed()) await ground.close();
}
