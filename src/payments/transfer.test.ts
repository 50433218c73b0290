import { beforeEach, describe, expect, it } from 'vitest';
import { PYUSD_MINT } from '../../test/ports/holder.ts';
import { type MapRollup, mintData, tokenAccountData } from '../../test/ports/map-chain.ts';
import { systemRandom } from '../ports/random.ts';
import {
  EPHEMERAL_TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../programs/addresses.ts';
import { deriveAta } from '../programs/associated-token.ts';
import { deriveEata } from '../programs/ephemeral-token/pdas.ts';
import { deriveShuttle } from './accounts/deposit-accounts.ts';
import {
  FROM,
  FROM_ROLLUP,
  HANDLE,
  ON_ROLLUP,
  PLATFORM,
  PUBLIC,
  TO,
  TO_ATA,
  TO_ROLLUP,
  TransferScene,
  VALIDATOR,
} from './transfer/testing/transfer-scene.ts';

let scene: TransferScene;

beforeEach(() => {
  scene = new TransferScene();
});

describe('spl.transfer', () => {
  it('returns every member and the amounts in words', async () => {
    const { output, sentences } = await scene.run({ amount: 1_500_000 });
    expect(output).toEqual({
      notes: expect.arrayContaining([expect.stringMatching(/^It pays .* USDC/)]),
      kind: 'transfer',
      version: 'legacy',
      transactionBase64: expect.any(String),
      sendTo: 'base',
      recentBlockhash: scene.chain.blockhash,
      lastValidBlockHeight: 1_150,
      instructionCount: 3,
      requiredSigners: [FROM],
      validator: VALIDATOR,
      from: 'base',
      fees: { lamports: '2039280', tokens: '1500' },
    });
    expect(sentences).toEqual([
      'Built an unsigned SPL transfer transaction.',
      `It pays 1.5 USDC (1500000 base units of mint ${USDC_MINT}) from ${FROM} on the base ledger to ${TO} on the base ledger, privately. 1.5015 leave the sender, 0.0015 of them as fees. Sign it as ${FROM} and send it to the base ledger before block height 1150 has passed.`,
      `Whether ${TO} still owns the token account at its ATA is not checked, because the base RPC would learn who is paid.`,
    ]);
  });

  it.each([
    ['public from base to base', PUBLIC],
    ['private from base to base', {}],
    ['private from base to the rollup', TO_ROLLUP],
    ['public on the rollup', { ...PUBLIC, ...ON_ROLLUP }],
    ['private on the rollup', ON_ROLLUP],
    ['private from the rollup to base', FROM_ROLLUP],
    ['gasless', { gasless: true }],
    ['gasless on the rollup', { ...ON_ROLLUP, gasless: true }],
    ['gasless from the rollup', { ...FROM_ROLLUP, gasless: true }],
    ['with a platform fee', PLATFORM],
    ['to a stealth handle', { to: HANDLE }],
    [
      'with every other option',
      { memo: '', minDelayMs: '1', maxDelayMs: 2, split: 15, clientRefId: '18446744073709551615' },
    ],
  ])('has no warnings if everything is ready: %s', async (_, args) => {
    expect(await scene.warnings(args)).toBeUndefined();
  });

  it.each([ON_ROLLUP, FROM_ROLLUP])(
    'rejects more than the sender’s balance on the rollup: %j',
    async (route) => {
      scene.putRollupTokens(999_999n);
      expect((await scene.refusal(route)).code).toBe('EATA_BALANCE_TOO_LOW');
      scene.putRollupTokens(1_000_000n);
      expect(await scene.warnings(route)).toBeUndefined();
    },
  );

  it('warns of a hidden balance if the payment continues to base', async () => {
    Object.assign(scene.chain.rollup as MapRollup, { auth: {} }).accounts.clear();
    expect(await scene.warnings(FROM_ROLLUP)).toEqual(['BALANCE_UNREAD']);
    expect(await scene.warnings(ON_ROLLUP)).toBeUndefined();
  });

  it.each([
    ["the sender's", {}, FROM],
    ["the recipient's", { ...TO_ROLLUP, initIfMissing: true }, TO],
  ])(
    'warns that %s settled tokens return to the rollup (bug: there was no warning)',
    async (_, route, owner) => {
      const eata = deriveEata(owner, USDC_MINT).address;
      const data = new Uint8Array(80);
      new DataView(data.buffer).setBigUint64(64, 1_500_000n, true);
      scene.undelegate(owner);
      scene.chain.put(eata, { owner: EPHEMERAL_TOKEN_PROGRAM, data });
      expect(await scene.warnings(route)).toEqual(['DELEGATED_AGAIN']);
    },
  );

  it("reads the rollup's blockhash with the caller's token, and does not repeat the token", async () => {
    const answer = await scene.run(ON_ROLLUP, { token: 'bearer-token' });
    expect((scene.chain.rollup as MapRollup).blockhashTokens).toEqual(['bearer-token']);
    expect(answer.output).toMatchObject({ sendTo: 'ephemeral', sendRpcEndpoint: 'https://rollup.example' });
    expect(JSON.stringify(answer)).not.toContain('bearer-token');
  });

  it('omits the validator only if none was needed or named', async () => {
    expect((await scene.run({ ...PUBLIC, ...ON_ROLLUP })).output).not.toHaveProperty('validator');
    const named = await scene.run({ ...PUBLIC, ...ON_ROLLUP, validator: VALIDATOR });
    expect(named.output.validator).toBe(VALIDATOR);
    expect((await scene.run(ON_ROLLUP)).output.validator).toBe(VALIDATOR);
  });

  it('fails if the validator is unknown', async () => {
    scene.chain.validatorIdentity = () => Promise.reject(new Error('cannot be told'));
    await expect(scene.run({})).rejects.toThrow('cannot be told');
    expect((await scene.run({ validator: VALIDATOR })).output.validator).toBe(VALIDATOR);
  });

  it('keeps amounts above 2^53 exact', async () => {
    const { instructions } = await scene.decode({ ...PUBLIC, amount: '9007199254740993' });
    const data = instructions[0]?.data as Uint8Array;
    expect(new DataView(data.buffer, data.byteOffset).getBigUint64(1, true)).toBe(9_007_199_254_740_993n);
  });

  it('deducts the platform fee if exactOut is false', async () => {
    const { output, transaction } = await scene.run({ ...PUBLIC, ...PLATFORM, exactOut: false });
    const amounts = transaction.instructions.map(({ data }) =>
      new DataView(data.buffer, data.byteOffset).getBigUint64(1, true),
    );
    expect(amounts).toEqual([10_000n, 990_000n]);
    expect(output.fees).toEqual({ lamports: '0', tokens: '10000' });
  });

  it("creates the recipient's token account if requested", async () => {
    scene.chain.accounts.delete(TO_ATA);
    const { instructions, staticKeys } = await scene.decode({ ...PUBLIC, initRecipientAta: true });
    const [create] = instructions;
    expect(instructions).toHaveLength(2);
    expect(staticKeys[create?.accounts[1] as number]).toBe(TO_ATA);
  });

  it('works with mints of Token-2022, which have other token accounts', async () => {
    scene.chain.put(PYUSD_MINT, { owner: TOKEN_2022_PROGRAM, data: mintData(6) });
    for (const owner of [FROM, TO]) {
      const ata = deriveAta(owner, PYUSD_MINT, TOKEN_2022_PROGRAM).address;
      scene.chain.put(ata, {
        owner: TOKEN_2022_PROGRAM,
        data: tokenAccountData(PYUSD_MINT, owner, 1_000_000n),
      });
    }
    const answer = await scene.run({ ...PUBLIC, mint: PYUSD_MINT });
    expect(answer.output.warnings).toBeUndefined();
    expect(answer.transaction.staticKeys).toContain(TOKEN_2022_PROGRAM);
  });

  it.each([
    ['on base', {}],
    ['into the rollup', TO_ROLLUP],
  ])(
    'draws another shuttle %s if the first is in use, because the program would keep the money',
    async (_, way) => {
      const parties = { owner: FROM, mint: USDC_MINT, tokenProgram: TOKEN_PROGRAM };
      const [first, second] = [deriveShuttle(parties, 1), deriveShuttle(parties, 2)];
      const data = new Uint8Array(72);
      scene.chain.put(first.accounts.metadata, { owner: EPHEMERAL_TOKEN_PROGRAM, data });
      const draws = [1, 2];
      scene.random = {
        bytes: (length) =>
          length === 4 ? Uint8Array.of(draws.shift() ?? 0, 0, 0, 0) : systemRandom.bytes(length),
      };
      const { staticKeys } = await scene.decode(way);
      expect(staticKeys).toContain(second.accounts.metadata);
      expect(staticKeys).not.toContain(first.accounts.metadata);
    },
  );

  it('never names a group 0, which means none', async () => {
    const draws = [0, 5];
    scene.random = { bytes: () => Uint8Array.of(draws.shift() ?? 0, 0, 0) };
    const { instructions } = await scene.decode(FROM_ROLLUP);
    expect([...(instructions[0]?.data.subarray(9, 12) ?? [])]).toEqual([5, 0, 0]);
  });
});
