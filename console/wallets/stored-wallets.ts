import { readKeypair } from './keypair.ts';
import type { Wallets } from './wallets.ts';

/** The one place of the browser's storage that keys are written to, and only when someone asks for it. */
const PLACE = 'spl-private-payments.test-wallets';

/** What the switch says: it is to be read before it is turned on. */
export const STORING_WARNING =
  'Any page of this origin and anyone who uses this browser can then read these keys. Use this for play money only.';

/** As much of `localStorage` as is used. */
export type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Whether keys are stored. */
export const areStored = (storage: Storage): boolean => storage.getItem(PLACE) !== null;

/** Writes the keys of all wallets, and nothing else of them. */
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
