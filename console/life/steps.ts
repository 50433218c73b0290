import type { Deed } from '../history/deed.ts';
import type { Viewpoint } from '../parts/reader.ts';
import type { Cycle } from './cycle.ts';

/** The state of a step. */
export type StepState =
  | 'waiting'
  | 'sent'
  | 'landed'
  | 'private'
  | 'not-shown'
  | 'not-on-base'
  | 'failed'
  | 'stalled';

/** Start and end lane by first letter: wallet, base, delegation, rollup, settlement. */
type Route = 'wb' | 'bd' | 'dr' | 'wr' | 'sb';

/** A step for one viewpoint. */
export interface Step {
  readonly number: number;
  readonly title: string;
  readonly text: string;
  readonly route: Route;
  /** Whether the arrow points back to the wallet. */
  readonly isBack: boolean;
  /** Whether the step happens without a signature. */
  readonly isAuto: boolean;
  readonly isPrivate: boolean;
  /** How much of the arrow is drawn. It never starts at a lane that only the owner knows. */
  readonly arrow: 'whole' | 'stub' | 'none';
  readonly state: StepState;
  /** The readers who can see it, as shown text. */
  readonly readers: string;
  readonly deed: Deed | null;
  /** Base units; null if the step has none. */
  readonly amount: bigint | null;
  /** Whether the amount is hidden from this reader. */
  readonly isVoid: boolean;
}

export interface StepFacts {
  readonly as: Viewpoint;
  readonly payer: string;
  readonly payee: string;
  /** Symbol of the mint. */
  readonly unit: string;
  readonly cycle: Cycle;
  /** The status that anyone who knows the payment's signature can see; null without one. */
  readonly status: { readonly slot: number; readonly hasFailed: boolean } | null;
  /** Whether a settlement is pending, and whether it takes too long. */
  readonly settling: 'no' | 'waiting' | 'stalled';
}

/** Every step in its order. */
export function stepsOf(facts: StepFacts): readonly Step[] {
  return [
    deposit(facts),
    handedOver(facts),
    appears(facts),
    payment(facts),
    undelegated(facts),
    settled(facts),
    withdrawn(facts),
  ];
}

const PUBLIC = {
  isBack: false,
  isAuto: false,
  isPrivate: false,
  arrow: 'whole',
  readers: 'public',
  isVoid: false,
} as const;

const landing = (deed: Deed | null): StepState =>
  deed === null ? 'waiting' : deed.hasFailed ? 'failed' : 'landed';

function deposit({ cycle, unit }: StepFacts): Step {
  const deed = cycle.deposit;
  return {
    ...PUBLIC,
    number: 1,
    title: 'Deposit',
    text: `Tokens move into the ${unit} vault.`,
    route: 'wb',
    state: landing(deed),
    deed,
    amount: deed?.amount ?? null,
  };
}

function handedOver({ cycle }: StepFacts): Step {
  return {
    ...PUBLIC,
    number: 2,
    title: 'Delegation',
    text: 'The account is delegated to the rollup’s validator.',
    route: 'bd',
    state: landing(cycle.deposit),
    deed: cycle.deposit,
    amount: null,
  };
}

/** Fields of private steps for readers who cannot see them. */
function hidden(as: Viewpoint) {
  const state: StepState = as === 'base' ? 'not-on-base' : 'not-shown';
  return {
    isBack: false,
    isAuto: false,
    isPrivate: true,
    arrow: 'none' as const,
    state,
    readers: as === 'base' ? 'not on base' : 'hidden',
    deed: null,
    amount: null,
    isVoid: false,
  };
}

function appears({ as, cycle, payer }: StepFacts): Step {
  const common = { number: 3, title: 'Balance on the rollup', route: 'dr', isAuto: true } as const;
  if (as !== 'owner') {
    const text = as === 'base' ? 'The base ledger does not show it.' : 'The rollup shows no such account.';
    return { ...hidden(as), ...common, text };
  }
  return {
    ...hidden(as),
    ...common,
    text: `No transaction and no signature. From here on, only ${payer} can read it.`,
    arrow: 'whole',
    state: cycle.deposit === null || cycle.deposit.hasFailed ? 'waiting' : 'private',
    readers: `only ${payer}`,
    amount: cycle.deposit?.amount ?? null,
  };
}

function payment({ as, cycle, payer, payee, status }: StepFacts): Step {
  const common = { number: 4, route: 'wr' } as const;
  if (as === 'base') {
    return {
      ...hidden(as),
      ...common,
      title: 'No payment on base',
      text: 'The base ledger does not show payments.',
    };
  }
  if (as === 'anyone') {
    const text = 'Payer, recipient, amount and note are hidden.';
    if (status === null) return { ...hidden(as), ...common, title: 'Hidden', text };
    return {
      ...hidden(as),
      ...common,
      title: 'A transaction landed',
      text,
      arrow: 'stub',
      readers: `${status.hasFailed ? 'failed' : 'landed'} · by signature`,
      isVoid: true,
    };
  }
  const deed = cycle.payment;
  return {
    ...hidden(as),
    ...common,
    title: `${payer} pays ${payee}`,
    text: deed?.memo == null ? 'An ordinary token transfer.' : 'An ordinary token transfer with a note:',
    arrow: 'whole',
    state: deed === null ? 'waiting' : deed.hasFailed ? 'failed' : 'private',
    readers: `${payer} and ${payee}`,
    deed,
    amount: deed?.amount ?? null,
  };
}

function undelegated({ as, cycle, payer }: StepFacts): Step {
  const common = { number: 5, route: 'wr' } as const;
  if (as === 'base') {
    return {
      ...hidden(as),
      ...common,
      title: 'No request on base',
      text: 'The request happens on the rollup.',
    };
  }
  if (as === 'anyone') {
    const text = 'The signature is unknown. The base ledger shows the result in step 6.';
    return { ...hidden(as), ...common, title: 'Hidden', text };
  }
  const deed = cycle.undelegation;
  return {
    ...hidden(as),
    ...common,
    title: `${payer} undelegates`,
    text:
      deed === null
        ? 'Until then, the balance can be paid to others.'
        : 'From here on, the rollup account is frozen.',
    arrow: 'whole',
    state: deed === null ? 'waiting' : deed.hasFailed ? 'failed' : 'private',
    readers: `only ${payer}`,
    deed,
  };
}

function settled({ cycle, settling }: StepFacts): Step {
  const deed = cycle.settlement;
  const waiting: StepState = settling === 'no' ? 'waiting' : settling === 'waiting' ? 'sent' : 'stalled';
  return {
    ...PUBLIC,
    number: 6,
    title: 'Settlement',
    text:
      deed === null && settling === 'stalled'
        ? 'The base ledger does not show it yet. The rollup retries; nothing is lost.'
        : 'The validator returns the account and writes its balance to the base ledger.',
    route: 'sb',
    isBack: true,
    isAuto: true,
    state: deed === null ? waiting : landing(deed),
    deed,
    amount: deed?.amount ?? null,
  };
}

function withdrawn({ cycle, payer }: StepFacts): Step {
  const deed = cycle.withdrawal;
  return {
    ...PUBLIC,
    number: 7,
    title: 'Withdrawal',
    text: `Tokens move from the vault to ${payer}.`,
    route: 'wb',
    isBack: true,
    state: landing(deed),
    deed,
    amount: deed?.amount ?? null,
  };
}
