import { readKeypair } from './keypair.ts';
import type { Wallets } from './wallets.ts';

/** Storage key of the wallets. Keys are stored only if the user asks for it. */
const PLACE = 'spl-private-payments.test-wallets';

/** Warning that is shown before keys are stored. */
export const STORING_WARNING =
  'Any page of this origin and anyone who uses this browser can then read these keys. Use this for play money only.';

/** The used part of `localStorage`. */
export type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Whether keys are stored. */
export const areStored = (storage: Storage): boolean => storage.getItem(PLACE) !== null;

/** Stores the names and keys of all wallets, but no tokens. */
export async function storeWallets(wallets: Wallets, storage: Storage): Promise<void> {
  const stored = await Promise.all(
    wallets.all.peek().map(async ({ name, key }) => ({ name, key: await key.serialize() })),
  );
  storage.setItem(PLACE, JSON.stringify(stored));
}

/** Deletes the stored keys. The wallets of the tab stay. */
export const deleteStoredWallets = (storage: Storage): void => storage.removeItem(PLACE);

/**
 * Restores the stored wallets.
 *
 * @returns the number of wallets; null if the stored keys cannot be read, which leaves them unchanged.
 */
export async function restoreWallets(wallets: Wallets, storage: Storage): Promise<number | null> {
  const text = storage.getItem(PLACE);
  if (text === null) return 0;
  try {
    const stored = JSON.parse(text) as readonly { readonly name: string; readonly key: string }[];
    const read = await Promise.all(
      stored.map(async ({ name, key }) => ({ name, key: await readKeypair(key) })),
    );
    for (const { name, key } of read) wallets.add(name, key);
    return read.length;
  } catch {
    return null;
  }
}
