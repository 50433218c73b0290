import { derivePermission } from '../../programs/permission/state.ts';
import type { Address } from '../../solana/address.ts';
import { eataAmount, eataDataWith, type Projection } from '../projection/projections.ts';
import type { Ledgers } from './claims.ts';
import { type Commitment, readDelegationState } from './settlement-transaction.ts';
import type { Books } from './solvency.ts';

/** The settlement of one eATA, which writes its rollup amount to base. */
export interface Step extends Commitment {
  readonly projection: Projection;
  /** Base units on the rollup minus those on base; negative if the eATA has lost tokens. */
  readonly gained: bigint;
}

/**
 * The steps that undelegate eATAs. Steps that lower claims on base come before those that raise them, so the
 * claims never exceed the vault. Example: the vault holds 10, A has 10 on base, and A paid B 4 on the rollup.
 * If B were settled first, the claims would be 14.
 */
export interface Batch {
  readonly lowering: readonly Step[];
  readonly raising: readonly Step[];
  /** eATAs that cannot be undelegated now, with the reason. */
  readonly waiting: ReadonlyMap<Address, string>;
  /** Base units in the vault that no eATA claims. */
  readonly surplus: bigint;
}

type Delegations = Pick<Ledgers, 'base' | 'projections'>;

interface Wanted {
  /** The eATAs to undelegate, in the order of their requests. */
  readonly eatas: readonly Address[];
  /** Whether a delegated eATA may also be settled to make room. */
  readonly mayCover: (eata: Address) => boolean;
}

/**
 * Plans the undelegation of a mint's eATAs. If the vault lacks room for their claims on base, eATAs that lost
 * tokens on the rollup are also settled. The plan settles as few of them as possible, because settling
 * publishes a balance, and takes those without a permission first.
 */
export function planBatch(
  { surplus, room: free, gains }: Books,
  { eatas, mayCover }: Wanted,
  ledgers: Delegations,
): Batch {
  const lowering: Step[] = [];
  const growing: Step[] = [];
  const waiting = new Map<Address, string>();
  for (const eata of eatas) {
    const step = planStep(eata, gains.get(eata) ?? 0n, true, ledgers);
    if (step === null) waiting.set(eata, 'its delegation on base cannot be read');
    else (step.gained > 0n ? growing : lowering).push(step);
  }
  let room = free - sumOf(lowering);
  const cover = sumOf(growing) > room ? planCover(new Set(eatas), gains, mayCover, ledgers) : [];
  const roomMax = room - sumOf(cover);
  const raising: Step[] = [];
  let needed = 0n;
  for (const step of growing) {
    if (needed + step.gained > roomMax) {
      waiting.set(step.projection.eata, 'the vault does not cover its gain yet');
      continue;
    }
    needed += step.gained;
    raising.push(step);
  }
  for (const step of cover) {
    if (needed <= room) break;
    lowering.push(step);
    room -= step.gained;
  }
  return { lowering, raising, waiting, surplus };
}

/** Returns the sum of base units that steps add on base. */
export function sumOf(steps: readonly Step[]): bigint {
  return steps.reduce((sum, { gained }) => sum + gained, 0n);
}

/** Returns the eATAs that can be settled to make room, in order of preference. */
function planCover(
  wanted: ReadonlySet<Address>,
  gains: ReadonlyMap<Address, bigint>,
  mayCover: (eata: Address) => boolean,
  ledgers: Delegations,
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

/**
 * Plans the step that settles an eATA with the amount `gained` on the rollup. It commits the lamports of the
 * delegation record: anyone can send more lamports to the account, and committing those would cost the
 * validator the difference.
 *
 * @returns null if a required account cannot be read on base.
 */
export function planStep(
  eata: Address,
  gained: bigint,
  isUndelegation: boolean,
  { base, projections }: Delegations,
): Step | null {
  const projection = projections.ofEata(eata);
  const account = base.get(eata);
  const before = eataAmount(account);
  if (projection === undefined || account === undefined || before === null) return null;
  const state = readDelegationState(eata, base);
  if (state === null) return null;
  return { ...state, projection, gained, data: eataDataWith(account.data, before + gained), isUndelegation };
}
