import type { AccountView } from '../../ledger/state/account-state.ts';
import { deriveDelegationMetadata } from '../../programs/delegation/pdas.ts';
import { decodeDelegationRecord } from '../../programs/delegation/record.ts';
import { decodeDelegationMetadata } from '../../programs/delegation/state.ts';
import { derivePermission } from '../../programs/permission/pdas.ts';
import type { Address } from '../../solana/address.ts';
import { eataAmount, eataDataWith, type Projection } from '../projection/projection.ts';
import { readBooks, type Ledgers, type MintKeys } from './solvency.ts';

/** One eATA that is to become on base what it is on the rollup. */
export interface Step {
  readonly projection: Projection;
  /** Base units it has on the rollup beyond what it has on base; less than 0 when it has fewer. */
  readonly gained: bigint;
  /** Its bytes on base afterwards. */
  readonly data: Uint8Array;
  /**
   * What its delegation record says it holds. Whoever commits to more pays the difference, and anybody can send lamports to
   * an eATA: those do not count.
   */
  readonly lamports: bigint;
  /** The delegation metadata of the eATA. */
  readonly metadata: Address;
  /** Nonce of the commit. */
  readonly nonce: bigint;
  /** Who gets the rents of the delegation back. */
  readonly rentPayer: Address;
  readonly isUndelegation: boolean;
}

/**
 * What gives eATAs back. Lessening what is owed on base comes before adding to it, so that at no time more is owed there
 * than the vault has.
 */
export interface Batch {
  readonly lessening: readonly Step[];
  readonly adding: readonly Step[];
  /** eATAs that cannot be given back now, with the reason. */
  readonly waiting: ReadonlyMap<Address, string>;
  /** Base units in the vault that nobody is owed. */
  readonly surplus: bigint;
}

/** What is asked of a batch. */
interface Wanted {
  /** The eATAs to be given back, in the order they were asked for. */
  readonly eatas: readonly Address[];
  /** Whether an eATA that stays can be settled with them when that is needed. */
  readonly mayCover: (eata: Address) => boolean;
}

/**
 * Plans how to give eATAs of a mint back as of now. Where they bring more to base than its vault has room for, some that
 * have lost tokens on the rollup are settled with them: as few as will do, since what is settled is published, and those
 * without a permission first.
 *
 * @throws {Doubt} saying why nothing may be submitted.
 */
export function planBatch(mint: MintKeys, { eatas, mayCover }: Wanted, ledgers: Ledgers): Batch {
  const { surplus, room: free, gains } = readBooks(mint, ledgers);
  const lessening: Step[] = [];
  const growing: Step[] = [];
  const waiting = new Map<Address, string>();
  for (const eata of eatas) {
    const step = planStep(eata, gains.get(eata) ?? 0n, true, ledgers);
    if (step === null) waiting.set(eata, 'its delegation on base cannot be read');
    else (step.gained > 0n ? growing : lessening).push(step);
  }
  let room = free - sumOf(lessening);
  const cover = sumOf(growing) > room ? planCover(new Set(eatas), gains, mayCover, ledgers) : [];
  const roomMax = room - sumOf(cover);
  const adding: Step[] = [];
  let needed = 0n;
  for (const step of growing) {
    if (needed + step.gained > roomMax) {
      waiting.set(step.projection.eata, 'what it gained is not to be had on base yet');
      continue;
    }
    needed += step.gained;
    adding.push(step);
  }
  for (const step of cover) {
    if (needed <= room) break;
    lessening.push(step);
    room -= step.gained;
  }
  return { lessening, adding, waiting, surplus };
}

/** Base units that steps add on base, together. */
export function sumOf(steps: readonly Step[]): bigint {
  return steps.reduce((sum, { gained }) => sum + gained, 0n);
}

/** What can be settled to make room, in the order in which it is to be taken. */
function planCover(
  wanted: ReadonlySet<Address>,
  gains: ReadonlyMap<Address, bigint>,
  mayCover: (eata: Address) => boolean,
  ledgers: Ledgers,
): Step[] {
  const found: { readonly step: Step; readonly isPublic: boolean }[] = [];
  for (const [eata, gained] of gains) {
    if (gained > 0n || wanted.has(eata) || !mayCover(eata)) continue;
    const step = planStep(eata, gained, false, ledgers);
    if (step === null) continue;
    found.push({ step, isPublic: ledgers.base.get(derivePermission(eata).address) === undefined });
  }
  found.sort((a, b) => Number(b.isPublic) - Number(a.isPublic) || (a.step.gained < b.step.gained ? -1 : 1));
  return found.map(({ step }) => step);
}

/** Null when something that is needed cannot be read on base. */
function planStep(
  eata: Address,
  gained: bigint,
  isUndelegation: boolean,
  { base, projections }: Ledgers,
): Step | null {
  const projection = projections.ofEata(eata);
  const account = base.get(eata);
  const before = eataAmount(account);
  if (projection === undefined || account === undefined || before === null) return null;
  const metadataAddress = deriveDelegationMetadata(eata).address;
  const metadata = decodeDelegationMetadata(dataAt(base, metadataAddress));
  const record = decodeDelegationRecord(base.get(projection.record) ?? null);
  if (metadata === null || record === null) return null;
  return {
    projection,
    gained,
    data: eataDataWith(account.data, before + gained),
    lamports: record.lamports,
    metadata: metadataAddress,
    nonce: metadata.commitNonce + 1n,
    rentPayer: metadata.rentPayer,
    isUndelegation,
  };
}

const dataAt = (base: AccountView, address: Address): Uint8Array =>
  base.get(address)?.data ?? new Uint8Array(0);
