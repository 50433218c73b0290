import type { LandedMessage, LedgerIdentity, LedgerStore } from '../../../ledger/store/store.ts';
import { makeRecord } from '../../../ledger/testing/make-record.ts';
import { SeededRandom } from '../../../ledger/testing/seeded-random.ts';
import { addressOf } from '../../../solana/address.ts';
import { encodeBase58 } from '../../../solana/base58.ts';

const random = new SeededRandom('kept ledgers');

/** The highest slot of the ledgers of these tests, which have a block for each. */
export const SLOT_CEILING = 3_000;

/** An identity that no other ledger has. */
export function drawIdentity(): LedgerIdentity {
  const [blockhashSeed, faucetSeed, identitySeed] = [random.bytes(32), random.bytes(32), random.bytes(32)];
  return { genesisHash: encodeBase58(random.bytes(32)), blockhashSeed, faucetSeed, identitySeed };
}

/** Where slots are counted from in these ledgers. */
export const TIME_ANCHOR = { slot: 0, unixMs: 1_767_225_600_000, slotMs: 400, afterSlot: -1 } as const;

/** Begins a ledger whose slots are counted from the first one. */
export async function beginLedger(store: LedgerStore): Promise<LedgerIdentity> {
  const identity = drawIdentity();
  await store.commit({ identity, slotCeiling: SLOT_CEILING });
  await store.commit({ timeAnchor: TIME_ANCHOR, slotCeiling: SLOT_CEILING });
  return identity;
}

/** What landed, one transaction in each slot. */
interface Landing {
  readonly fromSlot: number;
  readonly count: number;
  /** Characters that each of them logs. */
  readonly logged?: number;
  /** The blockhash of the transaction of a slot; one of no block when left out. */
  readonly blockhashOf?: (slot: number) => Uint8Array;
  /** The message of its bytes. */
  readonly messageOf?: (wire: Uint8Array) => LandedMessage | undefined;
}

/** Lands transactions; resolves with their messages. */
export async function landTransfers(
  store: LedgerStore,
  {
    fromSlot,
    count,
    logged = 10,
    blockhashOf = () => random.bytes(32),
    messageOf = () => undefined,
  }: Landing,
): Promise<readonly LandedMessage[]> {
  const messages: LandedMessage[] = [];
  const commits: Promise<void>[] = [];
  const form = { ...makeRecord('landed', { slot: 0, index: 0 }), returnData: null };
  const loadedAddresses = { writable: [], readonly: [] };
  for (let slot = fromSlot; slot < fromSlot + count; slot++) {
    const [signature, ...keys] = [random.bytes(64), random.bytes(32), random.bytes(32)];
    const header = Buffer.of(1, 0, 0, keys.length);
    const parts = [Buffer.of(1), signature, header, ...keys, blockhashOf(slot), Buffer.of(0)];
    const wire = new Uint8Array(Buffer.concat(parts));
    const message = messageOf(wire);
    if (message !== undefined) messages.push(message);
    const text = encodeBase58(signature);
    const record = { ...form, loadedAddresses, logs: ['x'.repeat(logged)], wire, signature: text, slot };
    const recordAddresses = keys.map(addressOf);
    commits.push(
      store.commit({ slotCeiling: SLOT_CEILING, record, recordAddresses, ...(message && { message }) }),
    );
  }
  await Promise.all(commits);
  return messages;
}
