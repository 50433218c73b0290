import { createPublicKey, verify } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { MapChain, MapRollup } from '../../../test/ports/map-chain.ts';
import { Keypair } from '../../ledger/keypair.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_DEVNET_MINT, USDC_MINT } from '../../programs/addresses.ts';
import { addMemo } from '../../programs/memo.ts';
import { transferLamports } from '../../programs/system.ts';
import { transferTokens } from '../../programs/token/instructions.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { type BuildOptions, buildTransaction, endpointWarnings } from './built-transaction.ts';

const PAYER = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb' as Address;
const OTHER = 'MAS1Dt9qreoRMQ14YQuhg8UTZMMzDdKhmkZMECCzk57' as Address;
const TABLE = 'AZiCUhDtxiah3eVWft1gJTLuabLDQ9J7K6YmS7VX9r2G' as Address;
const PAYMENT = transferTokens(
  TOKEN_PROGRAM,
  { source: USDC_MINT, destination: USDC_DEVNET_MINT, authority: PAYER },
  5n,
);

let chain: MapChain;
let rollup: MapRollup;

beforeEach(() => {
  rollup = Object.assign(new MapRollup(), { blockhash: encodeBase58(new Uint8Array(32).fill(7)) });
  chain = Object.assign(new MapChain(), { rollup });
});

const build = (options: BuildOptions, instructions = [PAYMENT]) =>
  buildTransaction(chain, PAYER, instructions, options);

const decode = (base64: string) => decodeTransaction(new Uint8Array(Buffer.from(base64, 'base64')));

describe('the ledger of a transaction', () => {
  it('is base by default', async () => {
    const built = await build({});
    expect(built).toMatchObject({ sendTo: 'base', recentBlockhash: chain.blockhash, version: 'legacy' });
    expect(built).not.toHaveProperty('sendRpcEndpoint');
    expect(rollup.blockhashTokens).toEqual([]);
    expect(endpointWarnings(built)).toEqual([]);
  });

  it("is the rollup if requested, with the rollup's blockhash, read with the caller's token", async () => {
    const built = await build({ sendTo: 'ephemeral', token: 'secret' });
    expect(built).toMatchObject({
      sendTo: 'ephemeral',
      recentBlockhash: rollup.blockhash,
      sendRpcEndpoint: 'https://rollup.example',
    });
    expect(rollup.blockhashTokens).toEqual(['secret']);
    expect(chain.blockhashTokens).toEqual([]);
    expect(JSON.stringify(built)).not.toContain('secret');
    expect(endpointWarnings(built)).toEqual([]);
  });

  it('is not shown if the operator hides it, and the result says so', async () => {
    rollup.publicUrl = null;
    const built = await build({ sendTo: 'ephemeral' });
    expect(built).not.toHaveProperty('sendRpcEndpoint');
    expect(endpointWarnings(built).map(({ code }) => code)).toEqual(['SEND_ENDPOINT_NOT_SHOWN']);
  });

  it('cannot be a missing rollup', async () => {
    chain.rollup = null;
    await expect(build({ sendTo: 'ephemeral' })).rejects.toMatchObject({ code: 'UNSUPPORTED_ON_CLUSTER' });
  });
});

describe('the form of a transaction', () => {
  const three = [PAYMENT, transferLamports(PAYER, OTHER, 1n)];

  it('is v0 when the table makes it smaller', async () => {
    const lookupTable = { address: TABLE, addresses: [USDC_MINT, USDC_DEVNET_MINT, OTHER] };
    const [v0, legacy] = await Promise.all([build({ lookupTable }, three), build({}, three)]);
    expect([v0.version, legacy.version]).toEqual(['v0', 'legacy']);
    expect(v0.transactionBase64.length).toBeLessThan(legacy.transactionBase64.length);
    const { lookups } = decode(v0.transactionBase64);
    expect(lookups).toMatchObject([{ table: TABLE, writable: { length: 3 } }]);
  });

  it.each([
    ['holds nothing the transaction names', [SYSTEM_PROGRAM]],
    ['saves no bytes', [USDC_MINT]],
    ['holds only signers and programs', [PAYER, TOKEN_PROGRAM]],
    ['is empty', []],
  ])('is legacy when the table %s', async (_, addresses) => {
    const built = await build({ lookupTable: { address: TABLE, addresses } });
    expect(built.version).toBe('legacy');
    expect(built.transactionBase64).toBe((await build({})).transactionBase64);
  });
});

describe('a transaction that is too large', () => {
  const long = [addMemo('x'.repeat(1_100))];

  it('is rejected with its size and advice', async () => {
    const options = { sizeAdvice: ['leave out the memo', 'leave out gasless'] };
    await expect(build(options, long)).rejects.toMatchObject({
      code: 'TRANSACTION_TOO_LARGE',
      message: 'Transaction too large: 1270 > 1232 bytes: leave out the memo, or leave out gasless',
      context: { size: 1_270, limit: 1_232 },
    });
  });

  it('has 1233 bytes or more, not 1232', async () => {
    const built = await build({}, [addMemo('x'.repeat(1_062))]);
    expect(decode(built.transactionBase64).wire).toHaveLength(1_232);
    await expect(build({}, [addMemo('x'.repeat(1_063))])).rejects.toMatchObject({ context: { size: 1_233 } });
  });
});

describe('a sponsor', () => {
  const key = new Keypair(new Uint8Array(32).fill(9));
  const sponsor = { address: key.address, cosign: async (message: Uint8Array) => key.sign(message) };
  const sponsored = { sponsor, lamports: 10_000n, client: undefined };

  it('signs the message in its own place and nowhere else', async () => {
    const built = await buildTransaction(chain, sponsor.address, [PAYMENT], { sponsored });
    expect(built.requiredSigners).toEqual([sponsor.address, PAYER]);
    const { wire, messageAt, signatures } = decode(built.transactionBase64);
    const spki = Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      addressBytes(sponsor.address),
    ]);
    const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    expect(verify(null, wire.subarray(messageAt), publicKey, signatures[0] as Uint8Array)).toBe(true);
    expect(signatures[1]?.every((byte) => byte === 0)).toBe(true);
  });

  it('signs nothing that someone else pays for', async () => {
    await expect(build({ sponsored })).rejects.toThrow('only if it pays the fee');
  });

  it('never signs as the only signer (bug: a sponsor named as the sender signed away all its tokens)', async () => {
    const own = transferLamports(sponsor.address, PAYER, 1n);
    await expect(buildTransaction(chain, sponsor.address, [own], { sponsored })).rejects.toThrow(
      'only if someone else signs too',
    );
  });

  it('signs no instruction that moves its own tokens', async () => {
    const accounts = { source: PAYER, destination: PAYER, authority: sponsor.address };
    const own = transferTokens(TOKEN_PROGRAM, accounts, 1n);
    await expect(buildTransaction(chain, sponsor.address, [PAYMENT, own], { sponsored })).rejects.toThrow(
      'no token instruction that names it',
    );
  });

  it('receives its maximum cost, its ledger, its last block height, and its client', async () => {
    const told: object[] = [];
    const counting = {
      address: key.address,
      cosign: async (message: Uint8Array, transaction: object) => {
        told.push(transaction);
        return key.sign(message);
      },
    };
    const sponsoredBy = { sponsor: counting, lamports: 12_345n, client: '192.0.2.1' };
    await buildTransaction(chain, key.address, [PAYMENT], { sponsored: sponsoredBy });
    const expected = { lamports: 12_345n, client: '192.0.2.1' };
    expect(told).toEqual([{ ...expected, ledger: chain, lastValidBlockHeight: 1_150 }]);
  });
});
