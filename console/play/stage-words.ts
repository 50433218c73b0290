import type { Viewpoint } from '../parts/reader.ts';

/** What the stage says of a step. */
export interface StageWords {
  readonly title: string;
  readonly text: string;
}

/** What the words are about. Amounts are written, with their unit. */
export interface StageFacts {
  readonly payer: string;
  readonly payee: string;
  /** What was paid; only the owner is told. */
  readonly paid: string;
  /** What each has deposited, for everyone to read. */
  readonly deposits: string;
  /** What the payer has on base now. */
  readonly onBase: string;
  /** How much less came back than was put in, where base shows it. */
  readonly less: string | null;
  readonly isWaitingForTakeOut: boolean;
}

/** The words of a step, for one viewpoint: what is private is only in those of the owner. */
export function stageWords(step: number, as: Viewpoint, facts: StageFacts): StageWords {
  const { payer, payee } = facts;
  switch (step) {
    case 0:
      return {
        title: 'See a private payment happen.',
        text: 'Two wallets with play money, one payment, and three ways of looking at it. About two minutes. Nothing leaves this machine.',
      };
    case 1:
      return {
        title: 'Put some in the vault.',
        text: 'What is in the vault can be paid privately. The deposit itself is public.',
      };
    case 2:
      return { title: `${payer} pays ${payee}.`, text: 'On the rollup, where only the two of them read it.' };
    case 3:
      return lookWords(as, facts);
    case 4:
      return {
        title: `${payer} takes the rest out.`,
        text: facts.isWaitingForTakeOut
          ? 'The rollup gave her account back. Now the vault pays.'
          : 'Two signatures: the rollup gives her account back, then the vault pays.',
      };
    default:
      return {
        title: `Done. ${facts.onBase} are ${payer}’s on base.`,
        text:
          facts.less === null
            ? 'Base shows what came back.'
            : `Base shows that ${facts.less} less came back. To whom is not shown.`,
      };
  }
}

function lookWords(as: Viewpoint, { payer, payee, paid, deposits }: StageFacts): StageWords {
  if (as === 'owner') {
    return {
      title: `${payer} paid ${payee} ${paid}. Who else knows?`,
      text: 'Look at the same page as anyone else. Nothing is redrawn to hide it: the page asks again, without their tokens.',
    };
  }
  if (as === 'anyone') {
    return {
      title: 'To anyone else, it is not there.',
      text: 'The rollup answers as if the payment and both accounts did not exist. All can see that one transaction landed. Whoever runs this service sees everything.',
    };
  }
  return {
    title: 'Base knows the deposits, not the payment.',
    text: `${deposits} went into the vault, for everyone to read. Who owns how much of it now is not on base until someone takes it out.`,
  };
}
