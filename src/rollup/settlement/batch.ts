import { derivePermission } from '../../programs/permission/state.ts';
import type { Address } from '../../solana/address.ts';
import { eataAmount, eataDataWith, type Projection } from '../projection/projection.ts';
import type { Ledgers } from './claim.ts';
import { readDelegationState } from './delegation-state.ts';
import type { Commitment } from './settlement-transaction.ts';
import type { Books } from './solvency.ts';

/** One eATA whose state on base becomes that of the rollup. */
export interface Step extends Commitment {
  readonly projection: Projection;
  /** Base units it has on the rollup minus those on base; negative when it has lost tokens. */
  readonly gained: bigint;
}

/**
 * The steps that undelegate eATAs. Those that lower claims on base come before those that raise them, so that
 * the claims never exceed the vault. Example: the vault holds 10, A has 10 on base, and A paid B 4 on the
 * rollup. B settled first would make claims of 14.
 */
export interface Batch {
  readonly lessening: readonly Step[];
  readonly adding: readonly Step[];
  /** eATAs that cannot be undelegated now, with the reason. */
  readonly waiting: ReadonlyMap<Address, string>;
  /** Base units in the vault that no eATA claims. */
  readonly surplus: bigint;
}

/** Where the delegations of a batch are read from. */
type Delegations = Pick<Ledgers, 'base' | 'projections'>;

/** What is asked of a batch. */
interface Wanted {
  /** The eATAs to undelegate, in the order of their requests. */
  readonly eatas: readonly Address[];
  /** Whether a delegated eATA may be settled along with them to make room. */
  readonly mayCover: (eata: Address) => boolean;
}

/**
 * Plans the undelegation of eATAs of a mint. If they claim more on base than the vault has room for, eATAs
 * that lost tokens on the rollup are settled along with them: as few as possible, since settling publishes a
 * balance, and those without a permission first.
 */
export function planBatch(
  { surplus, room: free, gains }: Books,
  { eatas, mayCover }: Wanted,
  ledgers: Delegations,
): Batch {
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

/** The sum of base units that steps add on base. */
export function sumOf(steps: readonly Step[]): bigint {
  return steps.reduce((sum, { gained }) => sum + gained, 0n);
}

/** The eATAs that can be settled to make room, in the order of choice. */
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
 * The step that brings an eATA to base with what it has `gained` on the rollup. The lamports stay those of
 * the delegation record: anybody can send more, and a commit to more would have to pay the difference.
 *
 * @returns null if an account it needs cannot be read on base.
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
