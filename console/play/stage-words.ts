import type { Viewpoint } from '../parts/reader.ts';

/** Title and text of a step. */
export interface StageWords {
  readonly title: string;
  readonly text: string;
}

/** Facts for the texts. Amounts are formatted, with their unit. */
export interface StageFacts {
  readonly payer: string;
  readonly payee: string;
  /** The paid amount. Only the owner sees it. */
  readonly paid: string;
  /** The deposits, which everyone can read. */
  readonly deposits: string;
  /** The payer's balance on base. */
  readonly onBase: string;
  /** How much less was withdrawn than deposited; null if base does not show it. */
  readonly less: string | null;
  readonly isWaitingForTakeOut: boolean;
}

/** Returns the texts of a step. Only the owner's texts contain private data. */
export function stageWords(step: number, as: Viewpoint, facts: StageFacts): StageWords {
  const { payer, payee } = facts;
  switch (step) {
    case 0:
      return {
        title: 'Make a private payment and see who can read it.',
        text: 'Create two test wallets, pay from one to the other, and look at the payment as the base ledger, as anyone and as its owner. It takes two minutes and uses play money.',
      };
    case 1:
      return {
        title: 'Deposit tokens.',
        text: 'Tokens in the vault can be paid privately. The deposit itself is public.',
      };
    case 2:
      return {
        title: `${payer} pays ${payee}.`,
        text: `The payment happens on the rollup. Only ${payer}, ${payee} and the operator can read it.`,
      };
    case 3:
      return lookWords(as, facts);
    case 4:
      return {
        title: `${payer} withdraws the rest.`,
        text: facts.isWaitingForTakeOut
          ? 'The account is back on the base ledger. Now the vault can pay out.'
          : 'Two signatures: the first undelegates the account from the rollup, the second withdraws from the vault.',
      };
    default:
      return {
        title: `Done. ${payer} has ${facts.onBase} on the base ledger.`,
        text:
          facts.less === null
            ? 'The base ledger shows the withdrawal.'
            : `The base ledger shows that ${payer} withdrew ${facts.less} less than the deposit. It does not show who received the difference.`,
      };
  }
}

function lookWords(as: Viewpoint, { payer, payee, paid, deposits }: StageFacts): StageWords {
  if (as === 'owner') {
    return {
      title: `${payer} paid ${payee} ${paid}. Who else knows?`,
      text: 'Look at the same page as anyone. The page hides nothing itself: it asks the ledgers again, without a token.',
    };
  }
  if (as === 'anyone') {
    return {
      title: 'For anyone else, the payment does not exist.',
      text: 'The rollup answers as if the payment and both accounts did not exist. Anyone can see that one transaction landed. The operator of this service can see everything.',
    };
  }
  return {
    title: 'The base ledger shows the deposits, not the payment.',
    text: `Everyone can read that ${deposits} went into the vault. Who owns how much of it stays off the base ledger until a withdrawal.`,
  };
}
