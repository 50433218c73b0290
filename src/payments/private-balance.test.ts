import { beforeEach, describe, expect, it } from 'vitest';
import {
  delegationRecordData,
  MapChain,
  MapRollup,
  mintData,
  tokenAccountData,
} from '../../test/ports/map-chain.ts';
import type { RollupAuth } from '../chain/chain.ts';
import { Clusters } from '../chain/clusters.ts';
import type { ErrorCode } from '../errors/codes.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  LOCALNET_VALIDATOR,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../programs/addresses.ts';
import { deriveAta } from '../programs/associated-token.ts';
import { deriveDelegationRecord } from '../programs/delegation/pdas.ts';
import { deriveEata } from '../programs/ephemeral-token/pdas.ts';
import { type Address, addressBytes, addressOf } from '../solana/address.ts';
import { createGetPrivateBalance } from './balances.ts';

const OWNER = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb' as Address;
const OTHER = addressOf(new Uint8Array(32).fill(5));
const EATA = deriveEata(OWNER, USDC_MINT).address;
const ATA = deriveAta(OWNER, USDC_MINT, TOKEN_PROGRAM).address;

let chain: MapChain;
let rollup: MapRollup;

beforeEach(() => {
  rollup = new MapRollup();
  chain = new MapChain().put(USDC_MINT, { owner: TOKEN_PROGRAM, data: mintData(6) });
  chain.cluster = 'devnet';
  chain.layout = 'b';
  chain.rollup = rollup;
});

function eataData(amount: bigint): Uint8Array {
  const data = new Uint8Array(80);
  data.set(addressBytes(OWNER));
  data.set(addressBytes(USDC_MINT), 32);
  new DataView(data.buffer).setBigUint64(64, amount, true);
  return data;
}

function delegateTo(validator: Address): void {
  const data = delegationRecordData(validator);
  chain.put(deriveDelegationRecord(EATA).address, { owner: DELEGATION_PROGRAM, data });
  chain.put(EATA, { owner: DELEGATION_PROGRAM, data: eataData(1n) });
}

/** `token` null is a caller without one. */
async function run(token: string | null = 'a-token') {
  const operation = createGetPrivateBalance({ clusters: new Clusters([chain]) });
  const input = operation.input.parse({ address: OWNER, mint: USDC_MINT });
  const result = await operation.run(input, { token: token ?? undefined });
  return { ...result, output: operation.output.parse(result.output) };
}

async function refusal(token?: string | null) {
  try {
    await run(token);
  } catch (error) {
    if (isServiceError(error)) return { code: error.code, context: error.context };
    throw error;
  }
  throw new Error('a balance was read');
}

const refuseWith = (code: ErrorCode) => Promise.reject(new ServiceError(code, 'rejected'));

describe('spl.getPrivateBalance', () => {
  it("reads the owner's token account on the rollup with the caller's own token", async () => {
    delegateTo(LOCALNET_VALIDATOR);
    rollup.put(ATA, { owner: TOKEN_PROGRAM, data: tokenAccountData(USDC_MINT, OWNER, 1_500_000n) });
    const read: unknown[] = [];
    const getAccounts = rollup.getAccounts.bind(rollup);
    rollup.getAccounts = (addresses, token?: string) => {
      read.push([addresses, token]);
      return getAccounts(addresses);
    };
    const { output, sentences } = await run();
    expect(output).toEqual({
      notes: [expect.stringContaining(' USDC (')],
      address: OWNER,
      mint: USDC_MINT,
      ata: ATA,
      location: 'ephemeral',
      balance: '1500000',
    });
    expect(sentences).toEqual([
      'Fetched the private SPL balance.',
      `${OWNER} has 1.5 USDC (1500000 base units of mint ${USDC_MINT}) on the rollup.`,
    ]);
    expect(read).toEqual([[[ATA], 'a-token']]);
  });

  it('derives the account of a Token-2022 mint with its own program', async () => {
    chain.put(USDC_MINT, { owner: TOKEN_2022_PROGRAM, data: mintData(6) });
    delegateTo(LOCALNET_VALIDATOR);
    const ata = deriveAta(OWNER, USDC_MINT, TOKEN_2022_PROGRAM).address;
    rollup.put(ata, { owner: TOKEN_2022_PROGRAM, data: tokenAccountData(USDC_MINT, OWNER, 7n) });
    expect((await run()).output).toMatchObject({ ata, balance: '7' });
  });

  it('rejects an invalid token for every address, delegated or not', async () => {
    rollup.getAccounts = (_, token?: string) =>
      token === undefined ? Promise.resolve([null]) : refuseWith('AUTH_REFUSED');
    const refused = { code: 'AUTH_REFUSED' };
    expect(await refusal('expired')).toMatchObject(refused);
    chain.put(EATA, { owner: EPHEMERAL_TOKEN_PROGRAM, data: eataData(2_500_000n) });
    expect(await refusal('expired')).toMatchObject(refused);
    delegateTo(OTHER);
    expect(await refusal('expired')).toMatchObject(refused);
    delegateTo(LOCALNET_VALIDATOR);
    expect(await refusal('expired')).toMatchObject(refused);
  });

  it('is zero without a delegation, without a read of the rollup, and notes the amount on base', async () => {
    rollup.getAccounts = () => Promise.reject(new Error('the rollup was asked'));
    expect((await run(null)).sentences[1]).toContain('it has not deposited any');
    chain.put(EATA, { owner: EPHEMERAL_TOKEN_PROGRAM, data: eataData(2_500_000n) });
    const { output, sentences } = await run(null);
    expect(output.balance).toBe('0');
    expect(sentences[1]).toContain('holds 2.5 on the base ledger');
  });

  it('names another validator that has the tokens', async () => {
    delegateTo(OTHER);
    expect(await refusal()).toMatchObject({
      code: 'EATA_DELEGATED_ELSEWHERE',
      context: { validator: OTHER },
    });
  });

  it('needs a token only on a private cluster', async () => {
    const anonymous = () => {
      const operation = createGetPrivateBalance({ clusters: new Clusters([chain]) });
      return operation.run({ address: OWNER, mint: USDC_MINT } as never, { token: undefined });
    };
    expect((await anonymous()).output.balance).toBe('0');
    chain.cluster = 'devnet-private';
    await expect(anonymous()).rejects.toMatchObject({ code: 'MISSING_AUTH_TOKEN' });
    expect((await run()).output.balance).toBe('0');
  });

  it('needs a token for a balance that a rollup with a login hides', async () => {
    delegateTo(LOCALNET_VALIDATOR);
    const auth = {} as RollupAuth;
    chain.rollup = Object.assign(rollup, { auth });
    expect(await refusal(null)).toMatchObject({ code: 'MISSING_AUTH_TOKEN', context: { ata: ATA } });
    rollup.put(ATA, { owner: TOKEN_PROGRAM, data: tokenAccountData(USDC_MINT, OWNER, 7n) });
    expect((await run(null)).output.balance).toBe('7');
  });

  it.each<[string, RollupAuth['authorizedUsers'], string]>([
    ['is readable only for others', () => Promise.resolve([OWNER]), 'READER_NOT_ALLOWED'],
    ['is public', () => Promise.resolve(null), 'ACCOUNT_UNREADABLE'],
    ['is of an unknown token', () => refuseWith('AUTH_REFUSED'), 'AUTH_REFUSED'],
    ['has unknown readers', () => refuseWith('AUTH_UNAVAILABLE'), 'ACCOUNT_UNREADABLE'],
  ])(
    "blames the token's holder only if the rollup says that the hidden account %s",
    async (_, users, code) => {
      delegateTo(LOCALNET_VALIDATOR);
      chain.rollup = Object.assign(rollup, { auth: { authorizedUsers: users } as unknown as RollupAuth });
      expect((await refusal('of-a-stranger')).code).toBe(code);
    },
  );

  it.each<[string, () => void]>([
    ['the rollup does not show', () => {}],
    ['belongs to another program', () => rollup.put(ATA, { owner: SYSTEM_PROGRAM, data: new Uint8Array() })],
    ['cannot be decoded', () => rollup.put(ATA, { owner: TOKEN_PROGRAM, data: new Uint8Array(164) })],
    [
      'is of another mint',
      () => rollup.put(ATA, { owner: TOKEN_PROGRAM, data: tokenAccountData(OTHER, OWNER, 1n) }),
    ],
    [
      'is delegated to an unknown validator',
      () => chain.accounts.delete(deriveDelegationRecord(EATA).address),
    ],
  ])('is an error, never zero, for an account that %s', async (_, arrange) => {
    delegateTo(LOCALNET_VALIDATOR);
    arrange();
    expect(await refusal()).toMatchObject({ code: 'ACCOUNT_UNREADABLE' });
  });

  it('is rejected if the token account belongs to someone else on the rollup', async () => {
    delegateTo(LOCALNET_VALIDATOR);
    rollup.put(ATA, { owner: TOKEN_PROGRAM, data: tokenAccountData(USDC_MINT, OTHER, 7n) });
    expect(await refusal()).toMatchObject({
      code: 'TOKEN_ACCOUNT_OWNER_MISMATCH',
      context: { ata: ATA, owner: OWNER, holder: OTHER },
    });
  });

  it('is rejected on a cluster without a rollup', async () => {
    chain.rollup = null;
    expect(await refusal()).toMatchObject({ code: 'UNSUPPORTED_ON_CLUSTER' });
  });
});
