import { beforeEach, describe, expect, it } from 'vitest';
import { bareGenesis } from '../../../ledger/genesis/genesis.ts';
import type { Keypair } from '../../../ledger/keypair.ts';
import { buildTransaction } from '../../../ledger/testing/test-ledger.ts';
import { SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { transferLamports } from '../../../programs/system.ts';
import type { Transaction } from '../../../solana/transaction.ts';
import { addressFilledWith as at } from '../../testing/transactions.ts';
import { withFirstInstructions } from './profile.ts';
import { openOperatedNode, type OperatedNode } from './testing/operated-node.ts';

interface ShownAccount {
  readonly lamports: number;
}
interface ShownRun {
  readonly accountStates: Readonly<
    Record<
      string,
      { type: string; accountChange?: { type: string; data: ShownAccount | ShownAccount[] | null } }
    >
  >;
  readonly computeUnitsConsumed: number;
  readonly logMessages: readonly string[];
  readonly errorMessage: string | null;
}
interface ShownProfile {
  readonly slot: number;
  readonly key: string;
  readonly instructionProfiles?: readonly ShownRun[];
  readonly transactionProfile: ShownRun;
  readonly readonlyAccountStates: Readonly<Record<string, ShownAccount>>;
}

const GIFT = 1_000_000_000n;
let node: OperatedNode;
let wallet: Keypair;
let text: string;
let transaction: Transaction;
beforeEach(async () => {
  node = await openOperatedNode({ genesis: bareGenesis() });
  wallet = await node.fundedWallet();
  transaction = buildTransaction(
    node.ledger,
    [wallet],
    [transferLamports(wallet.address, at(1), GIFT), transferLamports(wallet.address, at(1), GIFT)],
  );
  text = Buffer.from(transaction.wire).toString('base64');
});

const ask = async (method: string, ...params: unknown[]): Promise<unknown> =>
  ((await node.call(method, ...params)).result as { value: unknown }).value;
const profile = async (...params: unknown[]): Promise<ShownProfile> =>
  (await ask('surfnet_profileTransaction', ...params)) as ShownProfile;
const changeOf = (run: ShownRun | undefined, address: string) => {
  const change = run?.accountStates[address]?.accountChange;
  const data = [change?.data ?? []].flat().map(({ lamports }) => lamports);
  return [change?.type, ...data];
};

describe('surfnet_profileTransaction', () => {
  it('tells what a transaction would do, and each of its instructions, and changes nothing', async () => {
    const { slot } = node.ledger.head();
    const shown = await profile(text);
    const [first, second] = shown.instructionProfiles ?? [];
    expect(shown.slot).toBe(slot);
    expect(changeOf(first, at(1))).toEqual(['create', 1e9]);
    expect(changeOf(second, at(1))).toEqual(['update', 1e9, 2e9]);
    expect(changeOf(shown.transactionProfile, at(1))).toEqual(['create', 2e9]);
    expect(changeOf(shown.transactionProfile, wallet.address)).toEqual(['update', 1e10, 8e9 - 5_000]);
    expect(changeOf(first, wallet.address)).toEqual(['update', 1e10, 9e9 - 5_000]);
    expect([first, second, shown.transactionProfile].map((run) => run?.computeUnitsConsumed)).toEqual([
      150, 150, 300,
    ]);
    expect([first, second].map((run) => run?.logMessages.length)).toEqual([2, 2]);
    expect(shown.transactionProfile.errorMessage).toBeNull();
    expect(shown.transactionProfile.accountStates[SYSTEM_PROGRAM]).toEqual({ type: 'readonly' });
    expect(Object.keys(shown.readonlyAccountStates)).toEqual([SYSTEM_PROGRAM]);
    expect(node.ledger.getAccount(at(1))).toBeNull();
  });

  it('ends at the instruction that fails, and says why', async () => {
    const failing = buildTransaction(
      node.ledger,
      [wallet],
      [
        transferLamports(wallet.address, at(1), GIFT),
        transferLamports(wallet.address, at(1), 100n * GIFT),
        transferLamports(wallet.address, at(1), GIFT),
      ],
    );
    const shown = await profile(Buffer.from(failing.wire).toString('base64'), null, { depth: 'instruction' });
    expect(shown.instructionProfiles?.map((run) => run.errorMessage)).toEqual([
      null,
      'Error processing Instruction 1: custom program error: 0x1',
    ]);
    expect(shown.transactionProfile.errorMessage).toBe(shown.instructionProfiles?.[1]?.errorMessage);
    expect(changeOf(shown.transactionProfile, at(1))).toEqual(['unchanged']);
  });

  it('is kept by its key and its tag, and forgotten when the network is reset', async () => {
    const first = await profile(text, 'mine', { encoding: 'base64' });
    const second = await profile(text, 'mine', { encoding: 'base64' });
    const config = { encoding: 'base64' };
    expect(await ask('surfnet_getTransactionProfile', first.key, config)).toEqual(first);
    expect(await ask('surfnet_getProfileResultsByTag', 'mine', config)).toEqual([first, second]);
    expect(await ask('surfnet_getProfileResultsByTag', 'other')).toBeNull();
    const brief = (await ask('surfnet_getTransactionProfile', first.key, {
      depth: 'transaction',
    })) as ShownProfile;
    expect(brief.instructionProfiles).toBeUndefined();
    for (let count = 0; count < 200; count++) await profile(text);
    expect(await ask('surfnet_getTransactionProfile', first.key)).toBeNull();
    expect(await ask('surfnet_getProfileResultsByTag', 'mine')).toBeNull();
    const last = await profile(text);
    await node.call('surfnet_resetNetwork');
    expect(await ask('surfnet_getTransactionProfile', last.key)).toBeNull();
  });

  it('refuses what is no transaction, and is not there where nobody may change the ledger', async () => {
    expect((await node.call('surfnet_profileTransaction', '!')).error?.code).toBe(-32602);
    expect((await node.call('surfnet_profileTransaction', text, null, { depth: 'deep' })).error?.code).toBe(
      -32602,
    );
    const closed = await openOperatedNode({ genesis: bareGenesis() }, { hasOperator: false });
    for (const method of [
      'surfnet_profileTransaction',
      'surfnet_getTransactionProfile',
      'surfnet_getProfileResultsByTag',
    ]) {
      expect((await closed.call(method, text)).error?.code).toBe(-32601);
    }
  });
});

describe('withFirstInstructions', () => {
  it('is the transaction itself with all of them', () => {
    expect(withFirstInstructions(transaction, 2)).toEqual(transaction);
    expect(withFirstInstructions(transaction, 1).instructions).toEqual(transaction.instructions.slice(0, 1));
  });
});
