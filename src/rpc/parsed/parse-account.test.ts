import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeJson } from '../../json/write-json.ts';
import { Keypair } from '../../ledger/keypair.ts';
import {
  createAccount,
  createLookupTable,
  extendLookupTable,
  initializeNonce,
} from '../../ledger/testing/instructions.ts';
import { buildTransaction, openTestLedger, type TestLedger } from '../../ledger/testing/test-ledger.ts';
import {
  EPHEMERAL_TOKEN_PROGRAM,
  NATIVE_LOADER,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  USDC_MINT,
} from '../../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../programs/associated-token.ts';
import { concat, u64, u8 } from '../../programs/instruction-data.ts';
import {
  CLOCK_SYSVAR,
  EPOCH_SCHEDULE_SYSVAR,
  RECENT_BLOCKHASHES_SYSVAR,
  RENT_SYSVAR,
  SLOT_HASHES_SYSVAR,
} from '../../programs/sysvars.ts';
import { mintTo } from '../../programs/token/instructions.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { type Instruction, readonly, writable } from '../../solana/instruction.ts';
import { findTokenUnit, showTokenAmount, type TokenUnit } from '../accounts/token-amount.ts';
import { accountWith } from '../testing/token-accounts.ts';
import { showParsedAccount } from './parse-account.ts';
import { requireSorted } from './testing/parse-state.ts';

let test: TestLedger;
let wallet: Keypair;

beforeAll(async () => {
  test = await openTestLedger();
  wallet = await test.fundedWallet();
});

afterAll(() => test.ledger.close());

/** The account as it is shown, as a client reads it. */
function shown(address: Address): { program: string; parsed: { type: string; info: never }; space: number } {
  const account = test.ledger.getAccount(address);
  if (account === null) throw new Error(`no account ${address}`);
  const parsed = showParsedAccount(address, account, (other) => test.ledger.getAccount(other));
  requireSorted(parsed);
  return JSON.parse(writeJson(parsed ?? null));
}

async function land(signers: readonly Keypair[], ...instructions: Instruction[]): Promise<void> {
  const { err } = await test.ledger.submit(buildTransaction(test.ledger, [wallet, ...signers], instructions));
  expect(err).toBeNull();
}

const newKeypair = (): Keypair => new Keypair(test.random.bytes(32));
const created = (keypair: Keypair, space: bigint, owner: Address): Instruction =>
  createAccount(wallet.address, keypair.address, { lamports: 50_000_000n, space, owner });

/** An instruction of Token-2022 on one mint. */
const onMint = (mint: Address, ...data: Uint8Array[]): Instruction => ({
  programId: TOKEN_2022_PROGRAM,
  accounts: [writable(mint)],
  data: concat(...data),
});

/** The amount as Token-2022 itself formats it (`AmountToUiAmount`, tag 23). */
function uiAmountByProgram(mint: Address, amount: bigint): string {
  const instruction = {
    programId: TOKEN_2022_PROGRAM,
    accounts: [readonly(mint)],
    data: concat(u8(23), u64(amount)),
  };
  const { returnData } = test.ledger.simulate(buildTransaction(test.ledger, [wallet], [instruction]), {
    verifySignatures: true,
    replaceBlockhash: false,
  });
  return Buffer.from(returnData?.data ?? []).toString();
}

describe('accounts that programs of the engine made', () => {
  it('are shown: a durable nonce', async () => {
    const nonce = newKeypair();
    await land([nonce], created(nonce, 80n, SYSTEM_PROGRAM), initializeNonce(nonce.address, wallet.address));
    expect(shown(nonce.address)).toEqual({
      parsed: {
        info: {
          authority: wallet.address,
          blockhash: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/),
          feeCalculator: { lamportsPerSignature: '5000' },
        },
        type: 'initialized',
      },
      program: 'nonce',
      space: 80,
    });
  });

  it('are shown: a lookup table', async () => {
    const { table, instruction } = createLookupTable(wallet.address, BigInt(test.ledger.head().slot - 1));
    await land([], instruction, extendLookupTable(table, wallet.address, [USDC_MINT, SYSTEM_PROGRAM]));
    expect(shown(table)).toMatchObject({
      parsed: {
        info: {
          addresses: [USDC_MINT, SYSTEM_PROGRAM],
          authority: wallet.address,
          deactivationSlot: '18446744073709551615',
          lastExtendedSlotStartIndex: 0,
        },
        type: 'lookupTable',
      },
      program: 'address-lookup-table',
    });
  });

  it('are shown: an upgradeable program and its data', () => {
    const { parsed } = shown(EPHEMERAL_TOKEN_PROGRAM);
    expect(parsed.type).toBe('program');
    const { programData } = parsed.info as { programData: Address };
    const code = shown(programData) as unknown as { parsed: { type: string; info: { data: string[] } } };
    expect(code).toMatchObject({ program: 'bpf-upgradeable-loader', parsed: { type: 'programData' } });
    expect(Buffer.from(code.parsed.info.data[0] as string, 'base64').toString('latin1')).toContain('ELF');
  });

  it('are shown: a mint with extensions, and an account whose amount bears interest', async () => {
    const mint = newKeypair();
    const authority = addressBytes(wallet.address);
    // 165 bytes, the account type, then 4 + 52 for the interest and 4 + 32 for the authority that may close
    // the mint.
    await land(
      [mint],
      created(mint, 258n, TOKEN_2022_PROGRAM),
      onMint(mint.address, u8(33), u8(0), authority, Uint8Array.of(0xe8, 0x03)),
      onMint(mint.address, u8(25), u8(1), authority),
      onMint(mint.address, u8(20), u8(6), authority, u8(0)),
    );
    test.clock.pass(365 * 24 * 60 * 60 * 1000);
    const holder = { owner: wallet.address, mint: mint.address, tokenProgram: TOKEN_2022_PROGRAM };
    const ata = deriveAta(wallet.address, mint.address, TOKEN_2022_PROGRAM).address;
    await land(
      [],
      createAtaIdempotent({ payer: wallet.address, ata, ...holder }),
      mintTo(
        TOKEN_2022_PROGRAM,
        { mint: mint.address, destination: ata, authority: wallet.address },
        1_000_000n,
      ),
    );
    expect(shown(mint.address)).toMatchObject({
      parsed: {
        info: {
          extensions: [
            {
              extension: 'interestBearingConfig',
              state: { currentRate: 1000, rateAuthority: wallet.address },
            },
            { extension: 'mintCloseAuthority', state: { closeAuthority: wallet.address } },
          ],
          supply: '1000000',
        },
        type: 'mint',
      },
      program: 'spl-token-2022',
    });
    const account = shown(ata);
    expect(account).toMatchObject({
      parsed: { info: { extensions: [{ extension: 'immutableOwner' }], state: 'initialized' } },
    });
    const { tokenAmount } = account.parsed.info as {
      tokenAmount: { amount: string; uiAmountString: string };
    };
    expect(tokenAmount.amount).toBe('1000000');
    expect(tokenAmount.uiAmountString).toBe(uiAmountByProgram(mint.address, 1_000_000n));
    expect(Number(tokenAmount.uiAmountString)).toBeGreaterThan(1.1);
  });

  it.each([1.5, 0.3, 12_345.678_9])('are shown: amounts multiplied by %d', async (multiplier) => {
    const mint = newKeypair();
    const authority = addressBytes(wallet.address);
    await land(
      [mint],
      created(mint, 226n, TOKEN_2022_PROGRAM),
      onMint(mint.address, u8(43), u8(0), authority, Buffer.from(Float64Array.of(multiplier).buffer)),
      onMint(mint.address, u8(20), u8(3), authority, u8(0)),
    );
    const unit = findTokenUnit(mint.address, (other) => test.ledger.getAccount(other)) as TokenUnit;
    for (const amount of [0n, 1n, 3n, 999n, 123_456_789n, 2n ** 63n]) {
      const { uiAmountString } = showTokenAmount(amount, unit);
      expect(uiAmountString).toBe(uiAmountByProgram(mint.address, amount));
    }
  });

  it.each<[Address, string, object | unknown[]]>([
    [CLOCK_SYSVAR, 'clock', { unixTimestamp: expect.any(Number) }],
    [EPOCH_SCHEDULE_SYSVAR, 'epochSchedule', { slotsPerEpoch: 432_000, warmup: false }],
    [RENT_SYSVAR, 'rent', { lamportsPerByte: '6960' }],
    [
      SLOT_HASHES_SYSVAR,
      'slotHashes',
      expect.arrayContaining([{ hash: expect.any(String), slot: expect.any(Number) }]),
    ],
    [RECENT_BLOCKHASHES_SYSVAR, 'recentBlockhashes', expect.any(Array)],
  ])('are shown: the sysvar %s', (address, type, info) => {
    expect(shown(address)).toMatchObject({ parsed: { info, type }, program: 'sysvar' });
  });
});

describe('showParsedAccount()', () => {
  it('does not parse accounts of unknown programs', () => {
    const account = accountWith(Uint8Array.of(1, 2, 3), NATIVE_LOADER);
    expect(showParsedAccount(SYSTEM_PROGRAM, account, () => null)).toBeUndefined();
  });
});
