import { afterEach, beforeEach, expect, it } from 'vitest';
import { lengthOf } from '../../../test/length.ts';
import { Keypair, signTransaction } from '../../ledger/keypair.ts';
import type { Simulation } from '../../ledger/ledger.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { transferTokens } from '../../programs/token/instructions.ts';
import type { Account } from '../../solana/account.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import { compileLegacyMessage } from '../../solana/message.ts';
import { decodeTransaction, type Transaction } from '../../solana/transaction.ts';
import { validSigners } from './private-runs.ts';
import { mannWhitney } from './testing/mann-whitney.ts';
import { openPrivateRollup, type PrivateRollup } from './testing/private-rollup.ts';

/*
 * Goal: a refused simulation takes the same time whether or not the private accounts exist. Method: each
 * transaction is simulated three times in random order, once with Alice's accounts and twice without. The
 * times with and without them are compared by the Mann-Whitney test; the control compares the two times
 * without them. A real difference is larger than the control's in every round, noise is not.
 */

/** The |z| that noise exceeds in one of a thousand rounds. */
const Z_MAX = 3.29;
const ROUNDS = 5;
const SAMPLES = lengthOf({ short: 500, long: 2_000 });

const sponsor = new Keypair(new Uint8Array(32).fill(61));

let scene: PrivateRollup;
let accounts: readonly Account[];
beforeEach(async () => {
  scene = await openPrivateRollup();
  accounts = [scene.alice.ata, scene.alice.eata].map((each) => scene.rollup.getAccount(each) as Account);
});
afterEach(() => scene.close());

async function setPresent(isPresent: boolean): Promise<void> {
  const { alice, rollup } = scene;
  await rollup.setAccounts(
    [alice.ata, alice.eata].map((each, at) => [each, isPresent ? (accounts[at] as Account) : GONE]),
  );
}

/** A payment by Alice. The amount makes each message another one. */
function payment(amount: number, signers: readonly Keypair[]): Transaction {
  const { alice, bob, rollup } = scene;
  const roles = { source: alice.ata, destination: bob.ata, authority: alice.address };
  const message = compileLegacyMessage({
    feePayer: sponsor.address,
    blockhash: decodeBase58(rollup.head().blockhash),
    instructions: [transferTokens(TOKEN_PROGRAM, roles, BigInt(amount))],
  });
  return signTransaction(message, signers);
}

type Forge = (amount: number) => Transaction;

/** Payments that Alice has not validly signed. */
const FORGERIES: Readonly<Record<string, Forge>> = {
  unsigned: (amount) => payment(amount, []),
  'signed by its sponsor only': (amount) => payment(amount, [sponsor]),
  'wrongly signed': (amount) => {
    const { wire, signaturesAt } = payment(amount, [sponsor]);
    const forged = Uint8Array.from(wire);
    forged.copyWithin(signaturesAt + 64, signaturesAt, signaturesAt + 64);
    return decodeTransaction(forged);
  },
  altered: (amount) => {
    const { wire, blockhashAt } = payment(amount, [sponsor, scene.alice.wallet]);
    const altered = Uint8Array.from(wire);
    altered[blockhashAt] = (altered[blockhashAt] as number) ^ 1;
    return decodeTransaction(altered);
  },
};

type Ask = (transaction: Transaction) => unknown;

/** Times `ask` with Alice's accounts, and twice without them. Returns |z| of both comparisons. */
async function compare(transactions: readonly Transaction[], random: SeededRandom, ask: Ask) {
  const times: [number[], number[], number[]] = [[], [], []];
  for (const transaction of transactions) {
    const left = [0, 1, 2];
    while (left.length > 0) {
      const [which] = left.splice(random.integer(left.length), 1) as [0 | 1 | 2];
      await setPresent(which === 0);
      // The first simulation after a change pays for it, so only the second is timed.
      ask(transaction);
      const start = process.hrtime.bigint();
      ask(transaction);
      times[which].push(Number(process.hrtime.bigint() - start));
    }
  }
  const [present, absent, alsoAbsent] = times;
  return {
    z: Math.abs(mannWhitney(present, absent)),
    control: Math.abs(mannWhitney(alsoAbsent, absent)),
  };
}

/** Whether the time of `ask` depends on Alice's accounts in every round. */
async function dependsOnAccounts(forge: Forge, ask: Ask): Promise<boolean> {
  const random = new SeededRandom('timing');
  const transactions = Array.from({ length: SAMPLES }, (_, amount) => forge(amount));
  for (let round = 0; round < ROUNDS; round++) {
    const { z, control } = await compare(transactions, random, ask);
    if (z <= Math.max(Z_MAX, control)) return false;
  }
  return true;
}

/** A stranger's simulation of a transaction. */
function simulate(transaction: Transaction): Simulation {
  const options = { verifySignatures: false, replaceBlockhash: false };
  return scene.views.viewFor(null).simulate(transaction, options);
}

it.each(Object.entries(FORGERIES))(
  'the time of a simulation that is %s does not depend on whether the private accounts exist',
  async (_, forge) => {
    expect(simulate(forge(1)).err).toBe('AccountNotFound');
    expect(await dependsOnAccounts(forge, simulate)).toBe(false);
  },
);

it('a signature that is checked only if the accounts exist would be noticed', async () => {
  const signed = payment(1, [sponsor]);
  const leak = (transaction: Transaction): void => {
    if (scene.rollup.getAccount(scene.alice.ata) !== null) validSigners(signed);
    simulate(transaction);
  };
  expect(await dependsOnAccounts(FORGERIES['altered'] as Forge, leak)).toBe(true);
});
