import { beforeEach, describe, expect, it } from 'vitest';
import { MapChain, MapRollup, mintData, tokenAccountData } from '../../../../test/ports/map-chain.ts';
import { Clusters } from '../../../chain/clusters.ts';
import { SeededRandom } from '../../../ledger/testing/seeded-random.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  LOCALNET_VALIDATOR,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../programs/addresses.ts';
import { deriveAta } from '../../../programs/associated-token.ts';
import { deriveDelegationRecord } from '../../../programs/delegation/pdas.ts';
import { deriveEata } from '../../../programs/ephemeral-token/pdas.ts';
import { transferTokens } from '../../../programs/token/instructions.ts';
import { type Address, addressBytes, addressOf } from '../../../solana/address.ts';
import { decodeBase58 } from '../../../solana/base58.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../../solana/message.ts';
import { createExplainTransaction } from '../../explain-transaction.ts';
import { ANONYMOUS, type Operation } from '../../operation.ts';
import { createTransfer } from '../../transfer.ts';

const [mint, otherMint] = [addressOf(new Uint8Array(32).fill(2)), addressOf(new Uint8Array(32).fill(7))];
const owner = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb' as Address;
const friend = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' as Address;
const ataOf = (wallet: Address, program: Address = TOKEN_PROGRAM): Address =>
  deriveAta(wallet, mint, program).address;

let chain: MapChain;
let rollup: MapRollup;

beforeEach(() => {
  chain = new MapChain();
  rollup = new MapRollup();
  chain.rollup = rollup;
  for (const node of [chain, rollup]) {
    for (const address of [mint, otherMint]) node.put(address, { owner: TOKEN_PROGRAM, data: mintData(6) });
  }
});

/** Creates a private account on the rollup: base shows the delegation, and the rollup shows nothing. */
function delegate(wallet: Address): void {
  const eata = deriveEata(wallet, mint).address;
  const eataData = new Uint8Array(72);
  eataData.set(addressBytes(wallet), 0);
  eataData.set(addressBytes(mint), 32);
  chain.put(eata, { owner: DELEGATION_PROGRAM, data: eataData });
  const record = new Uint8Array(96);
  record[0] = 100;
  record.set(addressBytes(LOCALNET_VALIDATOR), 8);
  record.set(addressBytes(EPHEMERAL_TOKEN_PROGRAM), 40);
  chain.put(deriveDelegationRecord(eata).address, { owner: DELEGATION_PROGRAM, data: record });
}

/** Explains a payment on the rollup, or on base, with the accounts of a token program. */
async function explain(sendTo: 'base' | 'ephemeral', program: Address = TOKEN_PROGRAM) {
  const clusters = new Clusters([chain]);
  const transfer = createTransfer({ clusters, random: new SeededRandom('holders') }) as unknown as Operation;
  const operation = createExplainTransaction({ clusters, operations: [transfer], sponsor: null });
  const accounts = { source: ataOf(owner, program), destination: ataOf(friend, program), authority: owner };
  const wire = encodeUnsignedTransaction(
    compileLegacyMessage({
      feePayer: owner,
      blockhash: decodeBase58(chain.blockhash),
      instructions: [transferTokens(program, accounts, 5n)],
    }),
  );
  const onRollup = { fromBalance: 'ephemeral', toBalance: 'ephemeral' };
  const args = { from: owner, to: friend, mint, amount: 5, visibility: 'public' };
  const input = operation.input.parse({
    transactionBase64: Buffer.from(wire).toString('base64'),
    sendTo,
    request: { operation: 'transfer', arguments: { ...args, ...(sendTo === 'base' ? {} : onRollup) } },
  });
  chain.simulateTransaction = rollup.simulateTransaction = async (_wire, watch) => ({
    err: null,
    logs: [],
    computeUnits: 0,
    accounts: watch.map(() => null),
  });
  const { output } = await operation.run(input, ANONYMOUS);
  const { findings, request } = output;
  return { codes: findings.map(({ code }) => code), satisfied: request?.satisfied, request };
}

describe('token accounts that the rollup hides', () => {
  it('are assumed to belong to their derived owners on a rollup whose holders never change', async () => {
    for (const wallet of [owner, friend]) delegate(wallet);
    Object.assign(rollup, { keepsHolders: true });
    expect(await explain('ephemeral')).toMatchObject({ codes: [], satisfied: 'yes' });
  });

  it('are reported as unconfirmed on any other rollup', async () => {
    for (const wallet of [owner, friend]) delegate(wallet);
    expect(await explain('ephemeral')).toMatchObject({
      codes: ['HOLDER_UNSEEN', 'HOLDER_UNSEEN', 'REQUEST_UNVERIFIABLE'],
      satisfied: 'unverifiable',
    });
  });

  it('of someone without an account there are reported', async () => {
    delegate(owner);
    Object.assign(rollup, { keepsHolders: true });
    const { codes, satisfied, request } = await explain('ephemeral');
    expect({ codes, satisfied }).toEqual({
      codes: ['HOLDER_UNSEEN', 'REQUEST_UNVERIFIABLE'],
      satisfied: 'unverifiable',
    });
    const claim = request?.claims.find(({ name }) => name === 'holders');
    expect(claim?.message).toContain(`${friend} has none on this rollup`);
  });
});

it('reads the token program of a mint that the transaction does not name, so that the same call to another program does not match', async () => {
  for (const wallet of [owner, friend]) {
    for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
      rollup.put(ataOf(wallet, program), { owner: program, data: tokenAccountData(mint, wallet, 9n) });
    }
  }
  expect((await explain('ephemeral')).request).toMatchObject({ differences: [] });
  const { satisfied } = await explain('ephemeral', TOKEN_2022_PROGRAM);
  expect(satisfied).toBe('no');
});
