import { beforeEach, describe, expect, it } from 'vitest';
import { MapChain } from '../../../test/ports/map-chain.ts';
import { refusalOf } from '../../../test/run-operation.ts';
import type { SimulationResult } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { mintAccount } from '../../ledger/genesis/genesis.ts';
import { Keypair } from '../../ledger/keypair.ts';
import { lookupTable } from '../../ledger/testing/lookup-table.ts';
import {
  JUPITER_PROGRAM,
  LIGHTHOUSE_PROGRAM,
  NATIVE_MINT,
  NOOP_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../programs/addresses.ts';
import { tokenAccountData } from '../../rpc/testing/token-accounts.ts';
import { type Account, LOCAL_RENT, RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { type Instruction, signer, writable } from '../../solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../solana/message.ts';
import { compileV0Message } from '../../solana/versioned-message.ts';
import { USDT_MINT } from '../mints/common-mints.ts';
import { jupiterRoute as route } from './testing/jupiter-route.ts';
import { verifySwap } from './verify-swap.ts';

const key = (byte: number): Address => new Keypair(new Uint8Array(32).fill(byte)).address;

const [USER, PAYER, THIEF] = [key(1), key(2), key(3)];
const [USER_USDC, USER_USDT, USER_WSOL, OTHER_USDT] = [key(11), key(12), key(13), key(14)];
const TABLE = key(20);
const RENT = LOCAL_RENT.minimum(165);
const FEE = 5_000n;

/** Mainnet, on which simulations have the results of `after`. */
class PlayedMainnet extends MapChain {
  override cluster = 'mainnet';
  override network = 'mainnet' as const;
  readonly after = new Map<Address, Account | null>();
  err: unknown = null;
  simulations = 0;

  override simulateTransaction(_wire: Uint8Array, watch: readonly Address[]): Promise<SimulationResult> {
    this.simulations++;
    const accounts = watch.map((address) => this.after.get(address) ?? this.accounts.get(address) ?? null);
    return Promise.resolve({
      err: this.err,
      logs: [],
      computeUnits: 1,
      accounts: this.err === null ? accounts : null,
    });
  }

  wallet(lamports: bigint): Account {
    return {
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(),
      lamports,
      executable: false,
      rentEpoch: RENT_EXEMPT_EPOCH,
    };
  }
}

type Holding = Parameters<typeof tokenAccountData>[0];

/** A token account; one of wrapped SOL also holds its amount in lamports. */
function holding(parts: Holding, owner: Address = TOKEN_PROGRAM): Account {
  const wrapped = parts.mint === NATIVE_MINT ? (parts.amount ?? 0n) : 0n;
  return {
    owner,
    data: tokenAccountData(parts),
    lamports: RENT + wrapped,
    executable: false,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}

const usdc = (amount: bigint, more: Partial<Holding> = {}) =>
  holding({ mint: USDC_MINT, owner: USER, amount, ...more });
const usdt = (amount: bigint, more: Partial<Holding> = {}) =>
  holding({ mint: USDT_MINT, owner: USER, amount, ...more });

/** The user pays at most 100 USDC and receives at least 90 USDT. */
const ORDER = {
  user: USER,
  payer: USER,
  inputMint: USDC_MINT,
  outputMint: USDT_MINT,
  inputMax: 100n,
  outputMin: 90n,
  tokenDestination: null,
  solDestination: null,
  extraLamports: 0n,
  tipLamports: 0n,
  priorityFeeMax: 0n,
};

const WRITABLE = [USER, USER_USDC, USER_USDT, USER_WSOL, OTHER_USDT, THIEF];

/** A call that may change every account of these tests. */
const call = (data: Uint8Array = route(100n, 95n, 500), programId = JUPITER_PROGRAM): Instruction => ({
  programId,
  accounts: [signer(USER), ...WRITABLE.map(writable)],
  data,
});

let chain: PlayedMainnet;

beforeEach(() => {
  chain = new PlayedMainnet();
  for (const wallet of [USER, PAYER, THIEF]) chain.accounts.set(wallet, chain.wallet(1_000_000n));
  chain.accounts.set(USER_USDC, usdc(500n));
  chain.accounts.set(USER_USDT, usdt(7n));
  chain.accounts.set(OTHER_USDT, usdt(0n, { owner: THIEF }));
  chain.after.set(USER_USDC, usdc(400n));
  chain.after.set(USER_USDT, usdt(97n));
  chain.after.set(USER, chain.wallet(1_000_000n - FEE));
});

const blockhash = new Uint8Array(32).fill(9);

function changed(account: Account, offset: number): Account {
  const data = Uint8Array.from(account.data);
  data[offset] = 1;
  return { ...account, data };
}

function verify(order: Partial<typeof ORDER | Record<string, unknown>> = {}, calls = [call()]) {
  const merged = { ...ORDER, ...order } as Parameters<typeof verifySwap>[2];
  const wire = encodeUnsignedTransaction(
    compileLegacyMessage({ feePayer: merged.payer, blockhash, instructions: calls }),
  );
  return verifySwap(chain, Buffer.from(wire).toString('base64'), merged);
}

const reasonOf = async (running: Promise<unknown>): Promise<unknown> => {
  const { code, context } = await refusalOf(running);
  expect(code).toBe('UPSTREAM_INVALID');
  return context['reason'];
};

describe('verifySwap', () => {
  it('accepts a swap with exactly the quoted amounts', async () => {
    expect((await verify()).warnings).toEqual([]);
    expect(chain.simulations).toBe(1);
  });

  it.each([
    ['pays more than the input', route(101n, 95n, 500), 'it may pay 101 base units'],
    ['accepts less than the output', route(100n, 95n, 700), 'it accepts an output of 88 base units'],
    ['may pay more than the maximum', route(90n, 100n, 100, 'exact_out_route'), 'it may pay 101 base units'],
    ['asks for less than the output', route(88n, 99n, 100, 'exact_out_route'), 'it accepts an output of 88'],
  ])('rejects an instruction of Jupiter that %s', async (_what, data, words) => {
    expect(await reasonOf(verify({}, [call(data)]))).toContain(words);
  });

  it('accepts an instruction of Jupiter with a fixed output', async () => {
    expect((await verify({}, [call(route(90n, 99n, 100, 'exact_out_route'))])).warnings).toEqual([]);
  });

  it('warns if no instruction, or more than one, limits the amounts', async () => {
    const codes = async (calls: Instruction[]) => (await verify({}, calls)).warnings.map(({ code }) => code);
    expect(await codes([call(route(1n, 1n, 1, 'claim'))])).toEqual(['MINIMUM_NOT_ENFORCED']);
    expect(await codes([call(), call()])).toEqual(['MINIMUM_NOT_ENFORCED']);
  });

  it('warns of programs that swaps do not call, once for each', async () => {
    const other = call(new Uint8Array(), NOOP_PROGRAM);
    const guard = call(new Uint8Array(), LIGHTHOUSE_PROGRAM);
    const { warnings } = await verify({}, [call(), guard, other, other]);
    expect(warnings).toEqual([
      expect.objectContaining({ code: 'UNKNOWN_PROGRAM', message: expect.stringContaining(NOOP_PROGRAM) }),
    ]);
  });

  it('sees accounts in lookup tables, and rejects tables that do not exist', async () => {
    const table = { address: TABLE, addresses: WRITABLE.slice(1) };
    const message = compileV0Message({ feePayer: USER, blockhash, instructions: [call()] }, table);
    expect(message.tableAccounts).toBe(5);
    const wire = Buffer.from(encodeUnsignedTransaction(message)).toString('base64');
    expect(await reasonOf(verifySwap(chain, wire, ORDER))).toContain('lookup table');
    chain.accounts.set(TABLE, lookupTable(table.addresses));
    await verifySwap(chain, wire, ORDER);
    chain.after.set(USER_USDC, usdc(399n));
    expect(await reasonOf(verifySwap(chain, wire, ORDER))).toContain('pays 101 base units');
  });

  it('rejects a loss of another mint', async () => {
    const other = key(30);
    chain.accounts.set(USER_WSOL, holding({ mint: other, owner: USER, amount: 5n }));
    chain.after.set(USER_WSOL, holding({ mint: other, owner: USER, amount: 4n }));
    expect(await reasonOf(verify())).toContain(`pays 1 base units of ${other}`);
  });

  it('rejects a closed token account whose lamports go to someone else', async () => {
    chain.accounts.set(USER_WSOL, holding({ mint: key(30), owner: USER }));
    chain.after.set(USER_WSOL, chain.wallet(0n));
    expect(await reasonOf(verify())).toContain(`pays ${RENT + FEE} lamports, but at most ${FEE}`);
    chain.after.set(USER, chain.wallet(1_000_000n - FEE + RENT));
    await verify();
  });

  it.each([
    ['a delegate', { delegate: THIEF, delegatedAmount: 5n }, 'as its delegate'],
    ['a close authority', { closeAuthority: THIEF }, 'as its close authority'],
  ])('rejects a new token account with %s', async (_what, rights, words) => {
    chain.accounts.delete(USER_USDT);
    chain.after.set(USER_USDT, usdt(97n, rights));
    chain.after.set(USER, chain.wallet(1_000_000n - FEE - RENT));
    expect(await reasonOf(verify())).toContain(words);
  });

  it.each([
    ['given to someone else', mintAccount(THIEF, 6)],
    ['used to mint', changed(mintAccount(USER, 6), 36)],
    ['changed so that someone else can freeze', changed(mintAccount(USER, 6), 46)],
  ])(
    "rejects a swap if the user's rights to a mint are %s (bug: only holdings were compared)",
    async (_, after) => {
      chain.accounts.set(USER_WSOL, mintAccount(USER, 6));
      chain.after.set(USER_WSOL, after);
      expect(await reasonOf(verify())).toContain(`changes mint ${USER_WSOL} with the rights of ${USER}`);
      chain.accounts.set(USER_WSOL, mintAccount(THIEF, 6));
      await verify();
    },
  );

  it('rejects a token account that hides a loss behind another mint', async () => {
    chain.accounts.set(USER_WSOL, usdc(300n));
    chain.after.set(USER_WSOL, usdt(900n));
    expect(await reasonOf(verify())).toContain('gets another mint');
  });

  it('rejects a delegate of a new token account whose address already had lamports', async () => {
    chain.accounts.set(USER_USDT, chain.wallet(RENT));
    chain.after.set(USER_USDT, usdt(97n, { delegate: THIEF, delegatedAmount: 5n }));
    expect(await reasonOf(verify())).toContain('as its delegate');
  });

  it('rejects a wallet that a program takes over', async () => {
    chain.after.set(USER, { ...chain.wallet(1_000_000n - FEE), owner: JUPITER_PROGRAM });
    expect(await reasonOf(verify())).toContain('would belong to program');
  });

  it("accepts the rent of the user's new token account, and of another one", async () => {
    chain.accounts.delete(USER_USDT);
    chain.after.set(USER_USDT, usdt(90n));
    chain.accounts.delete(OTHER_USDT);
    chain.after.set(OTHER_USDT, usdt(1n, { owner: THIEF }));
    chain.accounts.set(USER, chain.wallet(1_000_000n + 2n * RENT));
    chain.after.set(USER, chain.wallet(1_000_000n - FEE));
    await verify();
    chain.after.set(USER, chain.wallet(1_000_000n - FEE - 1n));
    expect(await reasonOf(verify())).toContain('lamports, but at most');
  });

  it('lets only the payer pay the fee', async () => {
    chain.after.set(PAYER, chain.wallet(1_000_000n - 2n * FEE));
    expect(await reasonOf(verify({ payer: PAYER }))).toContain(`${USER} pays ${FEE} lamports, but at most 0`);
    chain.after.set(USER, chain.wallet(1_000_000n));
    await verify({ payer: PAYER });
    chain.after.set(PAYER, chain.wallet(1_000_000n - 2n * FEE - 1n));
    expect(await reasonOf(verify({ payer: PAYER }))).toContain(`${PAYER} pays`);
  });

  it('counts SOL and wrapped SOL of the user together', async () => {
    const selling = { inputMint: NATIVE_MINT };
    chain.after.set(USER_USDC, usdc(500n));
    chain.accounts.set(USER_WSOL, holding({ mint: NATIVE_MINT, owner: USER, amount: 60n }));
    chain.after.set(USER_WSOL, holding({ mint: NATIVE_MINT, owner: USER }));
    chain.after.set(USER, chain.wallet(1_000_000n - FEE - 40n));
    await verify(selling);
    chain.after.set(USER, chain.wallet(1_000_000n - FEE - 41n));
    expect(await reasonOf(verify(selling))).toContain(`pays ${FEE + 101n} lamports`);
  });

  it('finds an output of SOL in the wallet, or in the wallet that the request names', async () => {
    const buying = { outputMint: NATIVE_MINT };
    chain.after.set(USER, chain.wallet(1_000_000n - FEE + 90n));
    await verify(buying);
    chain.after.set(USER, chain.wallet(1_000_000n - FEE + 89n));
    expect(await reasonOf(verify(buying))).toContain('receives 89 base units');
    chain.after.set(THIEF, chain.wallet(1_000_090n));
    await verify({ ...buying, solDestination: THIEF });
    chain.after.set(THIEF, chain.wallet(1_000_089n));
    expect(await reasonOf(verify({ ...buying, solDestination: THIEF }))).toContain('receives 89');
  });

  it('finds an output of Token-2022 in the account of that program', async () => {
    const mint = key(40);
    const account = (amount: bigint) => holding({ mint, owner: USER, amount }, TOKEN_2022_PROGRAM);
    chain.accounts.set(USER_USDT, account(0n));
    chain.after.set(USER_USDT, account(90n));
    await verify({ outputMint: mint });
    chain.after.set(USER_USDT, account(89n));
    expect(await reasonOf(verify({ outputMint: mint }))).toContain('receives 89');
  });

  it('finds the output only in the token account that the request names, if it has the mint', async () => {
    chain.after.set(OTHER_USDT, usdt(90n, { owner: THIEF }));
    await verify({ tokenDestination: OTHER_USDT });
    expect(await reasonOf(verify({ tokenDestination: USER_USDC }))).toContain('receives 0');
    expect(await reasonOf(verify({ tokenDestination: key(50) }))).toContain('receives 0');
  });

  it('simulates again before it rejects, because the wallet may have been used in between', async () => {
    chain.after.set(USER_USDC, usdc(300n));
    const simulate = chain.simulateTransaction.bind(chain);
    chain.simulateTransaction = async (wire, watch) => {
      const result = await simulate(wire, watch);
      chain.after.set(USER_USDC, usdc(400n));
      return result;
    };
    await verify();
    expect(chain.simulations).toBe(2);
  });

  it('fails if the transaction would fail, or if the ledger cannot simulate it', async () => {
    chain.err = { InstructionError: [0, { Custom: 6_001 }] };
    expect((await refusalOf(verify())).code).toBe('TRANSACTION_FAILED');
    chain.simulateTransaction = () =>
      Promise.reject(new ServiceError('UPSTREAM_TIMEOUT', 'The node did not answer in time'));
    expect((await refusalOf(verify())).code).toBe('UPSTREAM_UNAVAILABLE');
  });
});
