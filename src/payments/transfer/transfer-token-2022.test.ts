import { beforeEach, describe, expect, it } from 'vitest';
import { HOLDER, OTHER_VALIDATOR as RECIPIENT } from '../../../test/ports/holder.ts';
import { VmChain } from '../../../test/ports/vm-chain.ts';
import { createProgramVm, type ProgramVm } from '../../../test/program-vm.ts';
import { instructionsOf, refusalOf, runOperation } from '../../../test/run-operation.ts';
import { Clusters } from '../../chain/clusters.ts';
import { systemRandom } from '../../ports/random.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../programs/associated-token.ts';
import { mintTo } from '../../programs/token/instructions.ts';
import { decodeTokenAccount } from '../../programs/token/state.ts';
import { littleEndian } from '../../rpc/testing/parse-call.ts';
import { mintData, withExtensions } from '../../rpc/testing/token-accounts.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressBytes, addressOf } from '../../solana/address.ts';
import { signer, writable } from '../../solana/instruction.ts';
import type { Sponsor } from '../fees/sponsor.ts';
import { createTransfer } from '../transfer.ts';

/** Public transfers of mints with extensions, executed by the real Token-2022 program. */

const STRANGER = addressOf(new Uint8Array(32).fill(9));
const ataOf = (owner: Address): Address => deriveAta(owner, USDC_MINT, TOKEN_2022_PROGRAM).address;

let vm: ProgramVm;
let signed: number;
const SPONSOR = addressOf(new Uint8Array(32).fill(10));
const sponsor: Sponsor = {
  address: SPONSOR,
  cosign: async () => {
    signed++;
    return new Uint8Array(64);
  },
};

beforeEach(() => {
  vm = createProgramVm([]);
  signed = 0;
});

const fee = (basisPoints: number, maximum: number, epoch = 0): number[] => [
  ...littleEndian(epoch, 8),
  ...littleEndian(maximum, 8),
  ...littleEndian(basisPoints, 2),
];

/** `TransferFeeConfig` without authorities. */
const feeConfig = (older: number[], newer: number[] = older): [number, Uint8Array] => [
  1,
  Uint8Array.of(...new Uint8Array(72), ...older, ...newer),
];

/**
 * A mint of 6 decimals with extensions, accounts of holder and recipient, and a million base units with the
 * holder.
 */
function putMint(...extensions: [type: number, value: Uint8Array][]): void {
  const data = withExtensions(mintData({ mintAuthority: HOLDER, freezeAuthority: HOLDER }), 1, extensions);
  vm.put(USDC_MINT, { lamports: 10_000_000n, owner: TOKEN_2022_PROGRAM, data });
  const tokenProgram = TOKEN_2022_PROGRAM;
  for (const owner of [HOLDER, RECIPIENT]) {
    vm.run(
      HOLDER,
      createAtaIdempotent({ payer: HOLDER, ata: ataOf(owner), owner, mint: USDC_MINT, tokenProgram }),
    );
  }
  vm.run(
    HOLDER,
    mintTo(tokenProgram, { mint: USDC_MINT, destination: ataOf(HOLDER), authority: HOLDER }, 1_000_000n),
  );
}

function openAccount(owner: Address): void {
  const accounts = { payer: HOLDER, ata: ataOf(owner), owner, mint: USDC_MINT };
  vm.run(HOLDER, createAtaIdempotent({ ...accounts, tokenProgram: TOKEN_2022_PROGRAM }));
}

/** Makes an owner's token account require a memo for incoming transfers. */
function requireMemos(of: Address): void {
  const [ata, owner] = [ataOf(of), signer(of)];
  const programId = TOKEN_2022_PROGRAM;
  // `Reallocate` (29) for `MemoTransfer` (8), then `MemoTransfer` `Enable` (30, 0).
  vm.run(
    of,
    {
      programId,
      accounts: [
        writable(ata),
        { address: of, signer: true, writable: true },
        { address: addressOf(new Uint8Array(32)), signer: false, writable: false },
        owner,
      ],
      data: Uint8Array.of(29, 8, 0),
    },
    { programId, accounts: [writable(ata), owner], data: Uint8Array.of(30, 0) },
  );
}

const build = (args: object = {}) =>
  runOperation(createTransfer({ clusters: new Clusters([new VmChain(vm)]), random: systemRandom, sponsor }), {
    from: HOLDER,
    to: RECIPIENT,
    mint: USDC_MINT,
    amount: 100_001,
    visibility: 'public',
    ...args,
  });

async function pay(args?: object) {
  const { output, sentences } = await build(args);
  vm.run(HOLDER, ...instructionsOf(output.transactionBase64));
  return { sentences, codes: output.warnings?.map(({ code }) => code) };
}

const tokensOf = (owner: Address): bigint | undefined =>
  decodeTokenAccount((vm.account(ataOf(owner)) as Account).data)?.amount;

describe('a public transfer of a Token-2022 mint', () => {
  it('without extensions is a plain one', async () => {
    putMint();
    expect((await pay()).codes).toBeUndefined();
    expect([HOLDER, RECIPIENT].map(tokensOf)).toEqual([899_999n, 100_001n]);
  });

  it('with a transfer fee reports the withheld and the received amount exactly', async () => {
    putMint(feeConfig(fee(100, 5_000)));
    const { codes, sentences } = await pay();
    expect(codes).toEqual(['TRANSFER_FEE_WITHHELD']);
    expect(sentences.join(' ')).toContain('withholds 0.001001 USDC (1001 base units');
    expect(sentences.join(' ')).toContain('so 0.099 USDC (99000 base units');
    expect([HOLDER, RECIPIENT].map(tokensOf)).toEqual([899_999n, 99_000n]);
  });

  it.each([
    ['the older one before its epoch', feeConfig(fee(100, 5_000), fee(900, 5_000, 1_000_000)), 99_000n],
    ['the newer one from its epoch on', feeConfig(fee(900, 5_000), fee(100, 900)), 99_101n],
    ['zero', feeConfig(fee(0, 0)), 100_001n],
  ])('with two fees is charged %s, like the program does', async (_, config, arrives) => {
    putMint(config);
    await pay();
    expect(tokensOf(RECIPIENT)).toBe(arrives);
  });

  it('with a fee that changed after it was built fails and moves nothing', async () => {
    putMint(feeConfig(fee(100, 5_000)));
    const { output } = await build();
    const data = withExtensions(mintData({ mintAuthority: HOLDER }), 1, [feeConfig(fee(200, 5_000))]);
    vm.put(USDC_MINT, { lamports: 10_000_000n, owner: TOKEN_2022_PROGRAM, data });
    expect(() => vm.run(HOLDER, ...instructionsOf(output.transactionBase64))).toThrow();
    expect(tokensOf(HOLDER)).toBe(1_000_000n);
  });

  it('of a pausable mint is built, with a warning while the mint is paused', async () => {
    const pausable = (paused: number): [number, Uint8Array] => [
      26,
      Uint8Array.of(...addressBytes(STRANGER), paused),
    ];
    putMint(pausable(0));
    expect((await pay()).codes).toBeUndefined();
    expect(tokensOf(RECIPIENT)).toBe(100_001n);

    const data = withExtensions(mintData({}), 1, [pausable(1)]);
    vm.put(USDC_MINT, { lamports: 10_000_000n, owner: TOKEN_2022_PROGRAM, data });
    const { output } = await build();
    expect(output.warnings?.map(({ code }) => code)).toEqual(['MINT_PAUSED']);
    expect(() => vm.run(HOLDER, ...instructionsOf(output.transactionBase64))).toThrow();
  });

  it('warns of a permanent delegate by name', async () => {
    putMint([12, addressBytes(STRANGER)]);
    const { codes, sentences } = await pay();
    expect(codes).toEqual(['MINT_PERMANENT_DELEGATE']);
    expect(sentences.at(-1)).toContain(`${STRANGER} is the permanent delegate`);
    expect(tokensOf(RECIPIENT)).toBe(100_001n);
  });

  it('notes that wallets show different amounts for a scaled mint', async () => {
    const scale = [...new Uint8Array(Float64Array.of(2).buffer)];
    const config = Uint8Array.of(...addressBytes(STRANGER), ...scale, ...new Uint8Array(8), ...scale);
    putMint([25, config]);
    const { codes, sentences } = await pay();
    expect(codes).toBeUndefined();
    expect(sentences.at(-1)).toContain('Wallets may show other figures');
  });

  it('has a warning if the account it creates begins frozen', async () => {
    putMint();
    const data = withExtensions(mintData({ freezeAuthority: HOLDER }), 1, [[6, Uint8Array.of(2)]]);
    vm.put(USDC_MINT, { lamports: 10_000_000n, owner: TOKEN_2022_PROGRAM, data });
    const args = { to: 'MUS3hc9TCw4cGC12vHNoYcCGzJG1txjgQLZWVoeNHNd', initRecipientAta: true };
    const { output } = await build(args);
    expect(output.warnings?.map(({ code }) => code)).toEqual(['MINT_ACCOUNTS_BEGIN_FROZEN']);
    expect(() => vm.run(HOLDER, ...instructionsOf(output.transactionBase64))).toThrow(/0x11|Custom\(17\)/);
    expect((await build()).output.warnings).toBeUndefined();
  });

  it.each([
    [
      'calls a custom program',
      14,
      Uint8Array.of(...addressBytes(STRANGER), ...addressBytes(STRANGER)),
      'TransferHook',
    ],
    ['has non-transferable tokens', 9, new Uint8Array(), 'NonTransferable'],
  ])('is rejected if the mint %s', async (_, type, value, extension) => {
    const data = withExtensions(mintData({}), 1, [[type, value]]);
    vm.put(USDC_MINT, { lamports: 10_000_000n, owner: TOKEN_2022_PROGRAM, data });
    expect(await refusalOf(build())).toMatchObject({
      code: 'UNSUPPORTED_MINT_EXTENSION',
      context: { field: 'mint', mint: USDC_MINT, extension },
    });
  });

  it('works if the mint has an empty transfer hook (bug: it failed)', async () => {
    putMint([14, Uint8Array.of(...addressBytes(STRANGER), ...new Uint8Array(32))]);
    expect((await pay()).codes).toBeUndefined();
    expect([HOLDER, RECIPIENT].map(tokensOf)).toEqual([899_999n, 100_001n]);
  });

  it.each([
    ['the recipient', {}, RECIPIENT],
    ['the platform', { platformFeeBps: 100, platformFeeAccount: ataOf(STRANGER) }, STRANGER],
  ])(
    'warns if %s accepts only confidential transfers (bug: there was no warning)',
    async (_, args, owner) => {
      putMint();
      openAccount(STRANGER);
      const ata = ataOf(owner);
      const { data, ...account } = vm.account(ata) as Account;
      // `ConfidentialTransferAccount`, with no other credits allowed.
      const confidential: [number, Uint8Array] = [5, new Uint8Array(295)];
      const extended = withExtensions(data.subarray(0, 165), 2, [[7, new Uint8Array()], confidential]);
      vm.put(ata, { ...account, data: extended });
      const { output } = await build(args);
      expect(output.warnings?.map(({ code }) => code)).toEqual(['TOKEN_ACCOUNT_CONFIDENTIAL_ONLY']);
      expect(() => vm.run(HOLDER, ...instructionsOf(output.transactionBase64))).toThrow(
        /[Nn]on-confidential/,
      );
    },
  );

  it('warns if the platform requires memos, which fees do not have (bug: it did not)', async () => {
    putMint();
    openAccount(STRANGER);
    const args = { platformFeeBps: 100, platformFeeAccount: ataOf(STRANGER) };
    expect((await build(args)).output.warnings).toBeUndefined();
    requireMemos(STRANGER);
    const { output } = await build({ ...args, memo: 'Order #1042' });
    expect(output.warnings?.map(({ code }) => code)).toEqual(['MEMO_REQUIRED']);
    expect(() => vm.run(HOLDER, ...instructionsOf(output.transactionBase64))).toThrow();
  });

  it('is rejected with a vault if the program does not support the mint (bug: it was built, and failed)', async () => {
    putMint();
    expect(await refusalOf(build({ initVaultIfMissing: true }))).toMatchObject({
      code: 'UNSUPPORTED_TOKEN_PROGRAM',
      context: { field: 'mint' },
    });
  });

  it('puts the memo required by the recipient’s account directly before the transfer', async () => {
    putMint();
    requireMemos(RECIPIENT);
    const { output } = await build();
    expect(output.warnings?.map(({ code }) => code)).toEqual(['MEMO_REQUIRED']);
    expect(() => vm.run(HOLDER, ...instructionsOf(output.transactionBase64))).toThrow();

    const { codes } = await pay({ memo: 'Order #1042' });
    expect(codes).toBeUndefined();
    expect(tokensOf(RECIPIENT)).toBe(100_001n);
  });
});

describe('a gasless transfer of a Token-2022 mint', () => {
  const gasless = { amount: 500_000, gasless: true };

  it.each([
    [
      'withholds a part of it, now or later (bug: the sponsor got less)',
      feeConfig(fee(0, 0), fee(100, 5_000, 9)),
      6,
    ],
    ['has other decimals (bug: the fee was 0.0002)', [12, addressBytes(STRANGER)], 9],
  ] as const)('is rejected if the mint %s', async (_, extension, decimals) => {
    const mint = mintData({ mintAuthority: HOLDER, decimals });
    const data = withExtensions(mint, 1, [extension as [number, Uint8Array]]);
    vm.put(USDC_MINT, { lamports: 10_000_000n, owner: TOKEN_2022_PROGRAM, data });
    for (const owner of [HOLDER, RECIPIENT, SPONSOR]) openAccount(owner);
    expect(await refusalOf(build(gasless))).toMatchObject({ code: 'INVALID_GASLESS_TRANSFER_MINT' });
    expect(signed).toBe(0);
  });

  it('is signed, but not while the mint is paused (bug: it was)', async () => {
    const pausable = (paused: number): [number, Uint8Array] => [
      26,
      Uint8Array.of(...addressBytes(STRANGER), paused),
    ];
    putMint(pausable(0));
    openAccount(SPONSOR);
    vm.put(SPONSOR, { lamports: 1_000_000_000n, owner: SYSTEM_PROGRAM, data: new Uint8Array() });
    await build(gasless);
    expect(signed).toBe(1);
    vm.put(USDC_MINT, {
      lamports: 10_000_000n,
      owner: TOKEN_2022_PROGRAM,
      data: withExtensions(mintData({}), 1, [pausable(1)]),
    });
    expect(await refusalOf(build(gasless))).toMatchObject({
      code: 'TRANSACTION_BUILD_ERROR',
      context: { reason: 'MINT_PAUSED' },
    });
    expect(signed).toBe(1);
  });

  it("is not signed if the sponsor's account requires memos (bug: it was, and failed)", async () => {
    putMint();
    openAccount(SPONSOR);
    vm.put(SPONSOR, { lamports: 1_000_000_000n, owner: SYSTEM_PROGRAM, data: new Uint8Array() });
    requireMemos(SPONSOR);
    expect(await refusalOf(build(gasless))).toMatchObject({
      code: 'SPONSOR_UNAVAILABLE',
      message: expect.stringContaining('requires memos'),
    });
    expect(signed).toBe(0);
  });
});
