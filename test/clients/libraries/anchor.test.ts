import { AnchorProvider, BN, Program, Wallet } from '@coral-xyz/anchor';
import {
  createMint,
  getAccount,
  getAssociatedTokenAddressSync,
  getOrCreateAssociatedTokenAccount,
  mintTo,
} from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendUntil } from '../heard.ts';
import { deployedCode, deployProgram } from './deploy-program.ts';
import { startConnectedNode, type ConnectedNode } from './node.ts';
import { paymentsCodeFor, paymentsIdlFor, type PaymentsIdl } from './payments-program.ts';

const DECIMALS = 6;

let world: ConnectedNode;
let payer: Keypair;
let shop: Keypair;
let mint: PublicKey;
let program: Program<PaymentsIdl>;
const address = Keypair.generate();

beforeAll(async () => {
  world = await startConnectedNode();
  payer = await world.fundedWallet();
  shop = await world.fundedWallet();
  const provider = new AnchorProvider(world.connection, new Wallet(payer), { commitment: 'confirmed' });
  program = new Program(paymentsIdlFor(address), provider);
  mint = await createMint(world.connection, payer, payer.publicKey, null, DECIMALS);
});

afterAll(() => world.close());

const pda = (name: string, ...keys: readonly PublicKey[]): PublicKey =>
  PublicKey.findProgramAddressSync(
    [Buffer.from(name), ...keys.map((key) => key.toBuffer())],
    address.publicKey,
  )[0];
const depositOf = (owner: Keypair): PublicKey => pda('deposit', owner.publicKey, mint);
const vaultAccount = (): PublicKey => getAssociatedTokenAddressSync(mint, pda('vault', mint), true);

/** Tokens into a deposit or, with an amount below zero, out of it. */
const modify = (user: Keypair, deposit: PublicKey, amount: number) =>
  program.methods
    .modifyBalance({ amount: new BN(Math.abs(amount)), increase: amount > 0 })
    .accountsPartial({
      payer: payer.publicKey,
      user: user.publicKey,
      deposit,
      userTokenAccount: getAssociatedTokenAddressSync(mint, user.publicKey),
      vaultTokenAccount: vaultAccount(),
      tokenMint: mint,
    })
    .signers(user === payer ? [] : [user]);

/** From the payer's deposit to the shop's; nothing moves in the vault. */
const transfer = (amount: number) =>
  program.methods.transferDeposit(new BN(amount)).accountsPartial({
    user: payer.publicKey,
    payer: payer.publicKey,
    sessionToken: null,
    sourceDeposit: depositOf(payer),
    destinationDeposit: depositOf(shop),
    tokenMint: mint,
  });

const amountIn = async (owner: Keypair): Promise<number> =>
  (await program.account.deposit.fetch(depositOf(owner))).amount.toNumber();

describe('@coral-xyz/anchor, in this order,', () => {
  it('deploys a program through a buffer', async () => {
    const code = paymentsCodeFor(address);
    const deployer = { connection: world.connection, payer };
    await deployProgram(deployer, address, code);
    expect((await world.connection.getAccountInfo(address.publicKey))?.executable).toBe(true);
    expect((await deployedCode(deployer, address.publicKey))?.equals(code)).toBe(true);
    // A program can be called from the slot after that of its deployment on.
    await world.node.untilFinished(await world.connection.getSlot('processed'));
  });

  it('calls the program: accounts are derived from the IDL, and its state is read back', async () => {
    for (const { publicKey: user } of [payer, shop]) {
      await program.methods
        .initializeDeposit()
        .accountsPartial({ payer: payer.publicKey, user, tokenMint: mint })
        .rpc();
    }
    const kept = await program.account.deposit.fetch(depositOf(shop));
    expect(kept).toMatchObject({ user: shop.publicKey, tokenMint: mint });
    expect(kept.amount.toNumber()).toBe(0);
    const found = await program.account.deposit.all([
      { memcmp: { offset: 8, bytes: payer.publicKey.toBase58() } },
    ]);
    expect(found.map(({ publicKey }) => publicKey)).toEqual([depositOf(payer)]);
    expect(await program.account.deposit.fetchNullable(Keypair.generate().publicKey)).toBeNull();
  });

  it('makes the program move tokens, sign for its vault and call other programs', async () => {
    const { address: own } = await getOrCreateAssociatedTokenAccount(
      world.connection,
      payer,
      mint,
      payer.publicKey,
    );
    await mintTo(world.connection, payer, mint, own, payer, 9_000_000);
    const signature = await modify(payer, depositOf(payer), 2_500_000).rpc();
    expect(await amountIn(payer)).toBe(2_500_000);
    expect((await getAccount(world.connection, vaultAccount())).amount).toBe(2_500_000n);
    await modify(payer, depositOf(payer), -500_000).rpc();
    expect(await amountIn(payer)).toBe(2_000_000);
    expect((await getAccount(world.connection, own)).amount).toBe(7_000_000n);

    const landed = await world.connection.getParsedTransaction(signature, {
      maxSupportedTransactionVersion: 0,
    });
    const inner = landed?.meta?.innerInstructions?.flatMap(({ instructions }) => instructions) ?? [];
    expect(inner.map((each) => ('parsed' in each ? each.parsed.type : each.programId))).toContain(
      'transferChecked',
    );
  });

  it('leaves out an optional account', async () => {
    await transfer(300_000).rpc();
    expect([await amountIn(payer), await amountIn(shop)]).toEqual([1_700_000, 300_000]);
  });

  it('reads an Anchor error from the logs', async () => {
    await expect(modify(shop, depositOf(payer), 1).rpc()).rejects.toMatchObject({
      error: { errorCode: { code: 'ConstraintHasOne', number: 2001 }, origin: 'deposit' },
      program: address.publicKey,
    });
  });

  it('simulates a call without changing anything', async () => {
    const { raw } = await modify(payer, depositOf(payer), 1).simulate();
    expect(raw).toContain('Program log: Instruction: ModifyBalance');
    expect(raw.at(-1)).toBe(`Program ${address.publicKey.toBase58()} success`);
    expect(await amountIn(payer)).toBe(1_700_000);
  });

  it('receives account changes', async () => {
    const changes = program.account.deposit.subscribe(depositOf(shop), 'confirmed');
    const heard = new Promise<{ amount: BN }>((resolve) => changes.once('change', resolve));
    let amount = 0;
    const [change] = await sendUntil(heard, () => transfer(++amount).rpc());
    expect(change.amount.toNumber()).toBeGreaterThan(300_000);
    await program.account.deposit.unsubscribe(depositOf(shop));
  });

  it('finds no IDL if none was published', async () => {
    expect(await Program.fetchIdl(address.publicKey, program.provider)).toBeNull();
  });
});
