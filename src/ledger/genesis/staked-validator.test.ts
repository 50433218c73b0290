import {
  Authorized,
  Keypair as Web3Keypair,
  PublicKey,
  StakeProgram,
  type Transaction,
} from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CONFIG_PROGRAM,
  NATIVE_MINT,
  STAKE_CONFIG,
  STAKE_PROGRAM,
  TOKEN_PROGRAM,
  USDC_DEVNET_MINT,
  USDC_MINT,
  VOTE_PROGRAM,
} from '../../programs/addresses.ts';
import { decodeMint } from '../../programs/token/state.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { Keypair } from '../keypair.ts';
import { buildTransaction, openTestLedger, type TestLedger } from '../testing/test-ledger.ts';
import type { TransactionError } from '../transaction-errors.ts';
import { bareGenesis, localGenesis } from './genesis.ts';

const SOL = 1_000_000_000n;
const EPOCH_SLOTS = 432_000;

let world: TestLedger;
let staker: Keypair;
beforeAll(async () => {
  world = await openTestLedger({ genesis: bareGenesis() });
  staker = await world.fundedWallet();
});
afterAll(() => world.ledger.close());

const only = (program: Address): Address => {
  const owned = [...world.ledger.programAccounts(program)];
  expect(owned).toHaveLength(1);
  return owned[0]?.[0] as Address;
};

/** A stake instruction of web3.js in the form that the ledger accepts. */
function instructionsOf({ instructions }: Transaction): Instruction[] {
  return instructions.map(({ programId, keys, data }) => ({
    programId: programId.toBase58() as Address,
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: pubkey.toBase58() as Address,
      signer: isSigner,
      writable: isWritable,
    })),
    data,
  }));
}

async function land(transaction: Transaction, ...signers: Keypair[]): Promise<TransactionError | null> {
  const built = buildTransaction(world.ledger, [staker, ...signers], instructionsOf(transaction));
  return (await world.ledger.submit(built)).err;
}

const passEpoch = (): Promise<void> =>
  world.ledger.travelTo({ slot: world.ledger.head().slot + EPOCH_SLOTS });

describe('the validator of a new ledger', () => {
  it('has lamports, a vote account and a stake, like that of a test validator', () => {
    const { ledger } = world;
    expect(ledger.getAccount(ledger.identity)?.lamports).toBe(500n * SOL);
    for (const program of [VOTE_PROGRAM, STAKE_PROGRAM]) {
      expect(ledger.getAccount(only(program))).toMatchObject({ owner: program, lamports: 1_000_000n * SOL });
    }
  });

  it('differs for each ledger, stays the same after a reset, and is part of every genesis of ours', async () => {
    const validator = { identity: USDC_MINT, vote: USDC_DEVNET_MINT, stake: NATIVE_MINT };
    for (const genesis of [localGenesis(), bareGenesis()]) {
      const last = [...genesis.accounts(staker.address, validator)].slice(-3);
      expect(last.map(([address]) => address)).toEqual(Object.values(validator));
    }
    const { ledger } = await openTestLedger({
      genesis: bareGenesis(),
      random: { bytes: (n) => new Uint8Array(n) },
    });
    const votes = (): Address[] => [...ledger.programAccounts(VOTE_PROGRAM)].map(([address]) => address);
    const before = votes();
    await ledger.resetLedger();
    expect(votes()).toEqual(before);
    expect(before).not.toContain(only(VOTE_PROGRAM));
    await ledger.close();
  });

  it('allows staking: create, delegate, deactivate, withdraw', async () => {
    const seed = world.random.bytes(32);
    const stake = new Keypair(seed);
    const from = new PublicKey(staker.address);
    const stakePubkey = Web3Keypair.fromSeed(seed).publicKey;
    const create = StakeProgram.createAccount({
      fromPubkey: from,
      stakePubkey,
      authorized: new Authorized(from, from),
      lamports: 3_000_000_000,
    });
    expect(await land(create, stake)).toBeNull();
    const votePubkey = new PublicKey(only(VOTE_PROGRAM));
    const authorized = { stakePubkey, authorizedPubkey: from };
    expect(await land(StakeProgram.delegate({ ...authorized, votePubkey }))).toBeNull();
    await passEpoch();
    const withdraw = StakeProgram.withdraw({ ...authorized, toPubkey: from, lamports: 3_000_000_000 });
    expect(await land(withdraw)).not.toBeNull();
    expect(await land(StakeProgram.deactivate(authorized))).toBeNull();
    await passEpoch();
    expect(await land(withdraw)).toBeNull();
    expect(world.ledger.getAccount(stake.address)).toBeNull();
  });
});

describe('the runtime accounts of a genesis', () => {
  it('are those of a test validator: the native mint', () => {
    const account = world.ledger.getAccount(NATIVE_MINT);
    expect(account).toMatchObject({ lamports: SOL, owner: TOKEN_PROGRAM, rentEpoch: 1n, executable: false });
    expect(decodeMint(account?.data ?? new Uint8Array(0))).toMatchObject({ supply: 0n, decimals: 9 });
  });

  it('are those of a test validator: the stake config', () => {
    expect(world.ledger.getAccount(STAKE_CONFIG)).toEqual({
      lamports: 960_480n,
      owner: CONFIG_PROGRAM,
      data: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0xd0, 0x3f, 12),
      executable: false,
      rentEpoch: 0n,
    });
  });
});
