import type { AccountChange, LedgerListener } from '../../ledger/ledger-events.ts';
import type { Timer } from '../../ports/timer.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata } from '../../programs/ephemeral-token/state.ts';
import type { Address } from '../../solana/address.ts';
import type { Health, LoggedCall } from '../answers.ts';

/** What the page is told of as it happens; everybody may know of it. */
export type ConsoleEvent =
  | { readonly kind: 'request'; readonly data: LoggedCall }
  | { readonly kind: 'settlement'; readonly data: Settlement }
  | { readonly kind: 'state'; readonly data: { readonly health: Health } };

/** What base shows of a settlement. */
interface Settlement {
  readonly mint: Address;
  /** Of the transaction on base, base58. */
  readonly signature: string;
  readonly slot: number;
  /** `committed`: base was told a balance, and the eATA stays delegated. `settled`: it was given back. */
  readonly state: 'committed' | 'settled';
}

/** Hears of what happens on base, and tells of settlements, one for each mint and state. */
export function tellSettlements(tell: (settlement: Settlement) => void): LedgerListener {
  return (event) => {
    if (event.kind !== 'transaction') return;
    const { slot, record, changes } = event;
    const told = new Set<string>();
    for (const change of changes) {
      const settled = settledBy(change);
      if (settled === null || told.has(`${settled.mint} ${settled.state}`)) continue;
      told.add(`${settled.mint} ${settled.state}`);
      tell({ ...settled, signature: record.signature, slot });
    }
  };
}

function settledBy({ address, before, after }: AccountChange): Pick<Settlement, 'mint' | 'state'> | null {
  // What is delegated belongs to the delegation program, which gives it back to its own.
  if (before?.owner !== DELEGATION_PROGRAM || after === null) return null;
  const isBack = after.owner === EPHEMERAL_TOKEN_PROGRAM;
  if (!isBack && (after.owner !== DELEGATION_PROGRAM || isSame(before.data, after.data))) return null;
  const eata = decodeEata(after.data);
  if (eata === null || deriveEata(eata.owner, eata.mint).address !== address) return null;
  return { mint: eata.mint, state: isBack ? 'settled' : 'committed' };
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

/** How often the ledgers are asked while anybody listens, ms. */
const LOOK_MS = 2_000;

/** What is watched, and for whom. */
interface HealthWatch {
  readonly read: () => Promise<Health>;
  /** Whether anybody listens. */
  readonly isWanted: () => boolean;
  readonly timer: Timer;
  /** Called when it is not as it was when it was looked at last. */
  readonly tell: (health: Health) => void;
}

/** Watches whether requests may come, until the function that is answered is called. */
export function watchHealth({ read, isWanted, timer, tell }: HealthWatch): () => void {
  let last: string | undefined;
  let callOff: () => void;
  const look = async (): Promise<void> => {
    const health = await read();
    const text = JSON.stringify(health);
    if (last !== undefined && text !== last) tell(health);
    last = text;
  };
  const again = (): void => {
    callOff = timer.after(LOOK_MS, () => {
      again();
      if (!isWanted()) last = undefined;
      // Whoever asks for the state hears of the fault.
      else look().catch(() => {});
    });
  };
  again();
  return () => callOff();
}
