import { beforeEach, describe, expect, it } from 'vitest';
import { delegationRecordData, MapChain, MapRollup } from '../../../test/ports/map-chain.ts';
import { Clusters } from '../../chain/clusters.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { deriveStealthPool } from '../../programs/ephemeral-token/stealth-pool.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { ANONYMOUS } from '../operation.ts';
import { createGetStealthPool, createStealthPool } from '../stealth-pool.ts';

const PAYER = '9wpT5FS8UXZbR8SY96B63VSZYqdt9DSUH3YxV6TmuNJB' as Address;
const AUTHORITY = 'DgNYPQUa53YogFZGQFLPHk7AxTAxsKenBAuPAXpVguCN' as Address;
const VALIDATOR = 'MAS1Dt9qreoRMQ14YQuhg8UTZMMzDdKhmkZMECCzk57' as Address;
const ELSEWHERE = 'MEUGGrYPxKk17hCr7wpT6s8dtNokZj5U2L57vjYMS8e' as Address;
const HANDLE = 'john.doe@magicblock.id';
const POOL = deriveStealthPool(HANDLE).address;
const CALLER = { token: 'bearer-token' };

let chain: MapChain;
let rollup: MapRollup;

beforeEach(() => {
  rollup = new MapRollup();
  chain = Object.assign(new MapChain(), { layout: 'b', cluster: 'mainnet', rollup, validator: VALIDATOR });
  chain.put(PAYER, { owner: SYSTEM_PROGRAM, data: new Uint8Array(), lamports: 1_000_000_000n });
});

async function create(args: object = {}, caller: { token: string | undefined } = CALLER) {
  const operation = createStealthPool({ clusters: new Clusters([chain]) });
  const request = { payer: PAYER, authority: AUTHORITY, handle: HANDLE, destinations: [AUTHORITY], ...args };
  const result = await operation.run(operation.input.parse(request), caller);
  return { ...result, output: operation.output.parse(result.output) };
}

async function look(args: object = {}) {
  const operation = createGetStealthPool({ clusters: new Clusters([chain]) });
  const result = await operation.run(operation.input.parse({ handle: HANDLE, ...args }), ANONYMOUS);
  return { ...result, output: operation.output.parse(result.output) };
}

/** The data of a pool's account as the program writes it. */
function poolData(authority: Address): Uint8Array {
  const data = new Uint8Array(619);
  data.set(Buffer.from('stpool@1'), 0);
  data.set(addressBytes(authority), 10);
  data[42] = HANDLE.length;
  data.set(Buffer.from(HANDLE), 43);
  data[298] = 1;
  data.set(addressBytes(authority), 299);
  return data;
}

/** Handles that look like others, and their warnings. */
const MISLEADING = [
  ['jo\u200bhn', 'HANDLE_INVISIBLE_CHARACTERS', '"jo\\u{200b}hn"'],
  ['\u202enhoj', 'HANDLE_INVISIBLE_CHARACTERS', '"\\u{202e}nhoj"'],
  ['jose\u0301', 'HANDLE_NOT_NORMALIZED', 'normalization form C'],
  ['j\u043ehn', 'HANDLE_MIXES_SCRIPTS', 'several scripts'],
] as const;

describe('a handle that looks like another one', () => {
  it.each(MISLEADING)('%j is built with the warning %s and shown escaped', async (handle, code, words) => {
    const { output, sentences } = await create({ handle });
    expect(output.warnings?.map((warning) => warning.code)).toEqual([code]);
    expect(sentences.join(' ')).toContain(words);
    expect(sentences.join(' ')).not.toMatch(/[\u200b\u202e]/u);
    expect((await look({ handle })).sentences.join(' ')).not.toMatch(/[\u200b\u202e]/u);
  });

  it('has no warning otherwise', async () => {
    expect((await create({ handle: 'jos\u00e9 \u{1f600}' })).output.warnings).toBeUndefined();
  });
});

describe('spl.createStealthPool', () => {
  it('returns the update for the rollup with the setup for base inside', async () => {
    const { output, sentences } = await create();
    expect(output).toEqual({
      notes: [expect.stringContaining('will go to one wallet.')],
      kind: 'stealthPool',
      version: 'legacy',
      transactionBase64: expect.any(String),
      sendTo: 'ephemeral',
      sendRpcEndpoint: 'https://rollup.example',
      recentBlockhash: rollup.blockhash,
      lastValidBlockHeight: 1_150,
      instructionCount: 1,
      requiredSigners: [PAYER, AUTHORITY],
      validator: VALIDATOR,
      stealthPool: POOL,
      setupTransaction: {
        kind: 'stealthPool',
        version: 'legacy',
        transactionBase64: expect.any(String),
        sendTo: 'base',
        recentBlockhash: chain.blockhash,
        lastValidBlockHeight: 1_150,
        instructionCount: 1,
        requiredSigners: [PAYER, AUTHORITY],
        validator: VALIDATOR,
      },
    });
    expect(rollup.blockhashTokens).toEqual(['bearer-token']);
    expect(chain.blockhashTokens).toEqual([undefined]);
    expect(sentences[0]).toBe('Built an unsigned SPL stealth pool transaction.');
    expect(sentences[1]).toContain('will go to one wallet.');
    expect(JSON.stringify({ output, sentences })).not.toContain('bearer-token');
  });

  it('contains the destinations and whether parts may be split across them', async () => {
    const { output } = await create({ destinations: [AUTHORITY, PAYER, ELSEWHERE], splitAcrossKeys: true });
    const { instructions } = decodeTransaction(
      new Uint8Array(Buffer.from(output.transactionBase64, 'base64')),
    );
    const data = instructions[0]?.data as Uint8Array;
    expect([...data.subarray(257, 259)]).toEqual([1, 3]);
    expect(data.subarray(259)).toEqual(
      new Uint8Array(Buffer.concat([AUTHORITY, PAYER, ELSEWHERE].map(addressBytes))),
    );
  });

  it.each([
    ['without a token', {}, 'MISSING_AUTH_TOKEN', ANONYMOUS],
    ['for an empty handle', { handle: '' }, 'INVALID_STEALTH_HANDLE', CALLER],
    ['for a handle of 256 bytes', { handle: 'é'.repeat(128) }, 'INVALID_STEALTH_HANDLE', CALLER],
    ['for an address', { handle: ELSEWHERE }, 'INVALID_STEALTH_HANDLE', CALLER],
    ['for a look-alike of an address', { handle: `${ELSEWHERE}0` }, 'INVALID_STEALTH_HANDLE', CALLER],
  ])('rejects %s', async (_, args, code, caller) => {
    await expect(create(args, caller)).rejects.toMatchObject({ code });
    expect(rollup.blockhashTokens).toEqual([]);
  });

  it('rejects a pool of another validator, because the setup would do nothing', async () => {
    const data = delegationRecordData(ELSEWHERE);
    chain.put(deriveDelegationRecord(POOL).address, { owner: DELEGATION_PROGRAM, data });
    await expect(create()).rejects.toMatchObject({ code: 'VALIDATOR_MISMATCH' });
    await expect(create({ validator: ELSEWHERE })).resolves.toBeDefined();
  });

  it('rejects a handle that belongs to someone else', async () => {
    chain.put(POOL, { owner: DELEGATION_PROGRAM, data: poolData(ELSEWHERE) });
    await expect(create()).rejects.toMatchObject({ code: 'STEALTH_HANDLE_TAKEN', httpStatus: 409 });
    chain.put(POOL, { owner: DELEGATION_PROGRAM, data: poolData(AUTHORITY) });
    await expect(create()).resolves.toBeDefined();
  });

  it('warns if the payer cannot pay for a new pool, but not for an existing one', async () => {
    chain.put(PAYER, { owner: SYSTEM_PROGRAM, data: new Uint8Array(), lamports: 10_000n });
    expect((await create()).output.warnings?.map(({ code }) => code)).toEqual(['INSUFFICIENT_LAMPORTS']);
    chain.put(POOL, { owner: DELEGATION_PROGRAM, data: new Uint8Array(619) });
    expect((await create()).output.warnings).toBeUndefined();
  });

  it('notes that the endpoint of the rollup is not shown', async () => {
    rollup.publicUrl = null;
    expect((await create()).output.warnings?.map(({ code }) => code)).toEqual(['SEND_ENDPOINT_NOT_SHOWN']);
  });

  it.each([
    ['payer', { payer: 'x' }],
    ['authority', { authority: undefined }],
    ['handle', { handle: 'half a \ud800' }],
    ['handle', { handle: 5 }],
    ['destinations', { destinations: [] }],
    ['destinations', { destinations: Array.from({ length: 11 }, () => PAYER) }],
    ['destinations', { destinations: [PAYER, 'nope'] }],
    ['destinations', { destinations: PAYER }],
    ['splitAcrossKeys', { splitAcrossKeys: 1 }],
    ['validator', { validator: '' }],
  ])('rejects an invalid %s: %j', (field, args) => {
    const { input } = createStealthPool({ clusters: new Clusters([chain]) });
    const request = { payer: PAYER, authority: PAYER, handle: HANDLE, destinations: [PAYER], ...args };
    expect(input.safeParse(request).error?.issues.map(({ path }) => path[0])).toContain(field);
  });
});

describe('spl.getStealthPool', () => {
  it.each<[string, Address | null, boolean]>([
    ['there is no account', null, false],
    ['only lamports are there', SYSTEM_PROGRAM, false],
    ['the program owns it', EPHEMERAL_TOKEN_PROGRAM, true],
    ['it is delegated', DELEGATION_PROGRAM, true],
  ])('when %s: exists is %3$s', async (_, owner, exists) => {
    if (owner !== null) chain.put(POOL, { owner, data: new Uint8Array(619) });
    const { output, sentences } = await look();
    expect(output).toEqual({ stealthPool: POOL, exists });
    expect(sentences[1]).toContain(exists ? 'has its pool at' : 'has no pool yet');
  });

  it.each(['', `${ELSEWHERE}0`])('rejects %j, which is not a handle', async (handle) => {
    await expect(look({ handle })).rejects.toMatchObject({ code: 'INVALID_STEALTH_HANDLE' });
  });
});

describe('stealth pools on a cluster of layout A', () => {
  it('are rejected', async () => {
    chain.layout = 'a';
    await expect(create()).rejects.toMatchObject({ code: 'UNSUPPORTED_ON_CLUSTER' });
    await expect(look()).rejects.toMatchObject({ code: 'UNSUPPORTED_ON_CLUSTER' });
  });
});
