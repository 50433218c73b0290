import { beforeAll, describe, expect, it } from 'vitest';
import {
  BPF_LOADER_UPGRADEABLE,
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  LOCALNET_VALIDATOR,
  NATIVE_MINT,
  NOOP_PROGRAM,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  USDC_DEVNET_MINT,
  USDC_MINT,
} from '../../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../programs/associated-token.ts';
import {
  type DelegationAccounts,
  deriveDelegateBuffer,
  deriveDelegationMetadata,
  deriveDelegationRecord,
  deriveValidatorFeesVault,
} from '../../programs/delegation/pdas.ts';
import { delegatedValidator } from '../../programs/delegation/state.ts';
import { deriveEata, deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import { EATA_TABLE, EATA_TABLE_A } from '../../programs/ephemeral-token/table/eata.ts';
import { type AccountsOf, encode } from '../../programs/instruction-table/encode.ts';
import { derivePermission } from '../../programs/permission/state.ts';
import { transferLamports } from '../../programs/system.ts';
import { syncNative } from '../../programs/token/instructions.ts';
import { decodeMint } from '../../programs/token/state.ts';
import { rentExemptMinimum } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../keypair.ts';
import { readTokenAmount } from '../state/accounts.ts';
import { holdingsOf } from '../testing/holdings-of.ts';
import { buildTransaction, openTestLedger, type TestLedger } from '../testing/test-ledger.ts';
import { FAUCET_LAMPORTS, localGenesis } from './genesis.ts';

describe('the local genesis', () => {
  let world: TestLedger;
  beforeAll(async () => {
    world = await openTestLedger();
  });

  it.each([DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM, PERMISSION_PROGRAM, NOOP_PROGRAM])(
    'has the immutable upgradeable program %s',
    (program) => {
      const account = world.ledger.getAccount(program);
      expect(account).toMatchObject({ owner: BPF_LOADER_UPGRADEABLE, executable: true });
      expect(account?.lamports).toBe(rentExemptMinimum(36));
    },
  );

  it('has the validator with the vaults that settlement needs', () => {
    expect(world.ledger.getAccount(LOCALNET_VALIDATOR)).toMatchObject({ owner: SYSTEM_PROGRAM });
    for (const vault of [
      'EpJnX7ueXk7fKojBymqmVuCuwyhDQsYcLVL1XMsBbvDX',
      '7JrkjmZPprHwtuvtuGTXp9hwfGYFAQLnLeFM52kqAgXg',
    ] as Address[]) {
      const account = world.ledger.getAccount(vault);
      expect([account?.owner, account?.data.length, account?.executable]).toEqual([
        DELEGATION_PROGRAM,
        8,
        false,
      ]);
    }
  });

  it('can leave out the public validator', () => {
    const accounts = new Map(
      localGenesis(1n, { admitsPublicValidator: false }).accounts(world.ledger.faucet),
    );
    expect([...localGenesis(1n).accounts(world.ledger.faucet)].length - accounts.size).toBe(2);
    expect(accounts.has(LOCALNET_VALIDATOR)).toBe(false);
    expect(accounts.has(deriveValidatorFeesVault(LOCALNET_VALIDATOR).address)).toBe(false);
  });

  it('has USDC at both its addresses, with the faucet as mint authority, no freeze authority and no supply', () => {
    for (const mint of [USDC_MINT, USDC_DEVNET_MINT]) {
      const account = world.ledger.getAccount(mint);
      expect(account).toMatchObject({ owner: TOKEN_PROGRAM, lamports: 1_461_600n });
      expect(decodeMint(account?.data ?? new Uint8Array(0))).toEqual({
        mintAuthority: world.ledger.faucet,
        supply: 0n,
        decimals: 6,
        freezeAuthority: null,
      });
      expect(holdingsOf(world.ledger, mint)).toEqual([]);
    }
  });

  it('has the requested lamports in the faucet', () => {
    expect(FAUCET_LAMPORTS).toBe(500_000_000_000_000_000n);
    expect(world.ledger.getAccount(world.ledger.faucet)?.lamports).toBe(FAUCET_LAMPORTS);
    const accounts = new Map(localGenesis(7n * 10n ** 9n).accounts(LOCALNET_VALIDATOR));
    expect(accounts.get(LOCALNET_VALIDATOR)?.lamports).toBe(7n * 10n ** 9n);
  });

  it('wraps SOL', async () => {
    const alice = await world.fundedWallet();
    const ata = deriveAta(alice.address, NATIVE_MINT, TOKEN_PROGRAM).address;
    const parties = {
      payer: alice.address,
      ata,
      owner: alice.address,
      mint: NATIVE_MINT,
      tokenProgram: TOKEN_PROGRAM,
    };
    const wrap = buildTransaction(
      world.ledger,
      [alice],
      [
        createAtaIdempotent(parties),
        transferLamports(alice.address, ata, 1_000_000_000n),
        syncNative(TOKEN_PROGRAM, ata),
      ],
    );
    const { signature, err } = await world.ledger.submit(wrap);
    expect(err).toBeNull();
    expect(readTokenAmount(world.ledger.getAccount(ata)?.data ?? new Uint8Array(0))).toBe(1_000_000_000n);
    const [balance] = world.ledger.getTransaction(signature)?.postTokenBalances ?? [];
    expect(balance).toMatchObject({ mint: NATIVE_MINT, decimals: 9, amount: 1_000_000_000n });
  });
});

describe('a deposit on the local chain', () => {
  let world: TestLedger;
  let alice: Keypair;
  beforeAll(async () => {
    world = await openTestLedger();
    alice = await world.fundedWallet();
    await world.ledger.airdropTokens(alice.address, USDC_MINT, 1_000_000n);
  });

  const parts = (owner: Address) => {
    const eata = deriveEata(owner, USDC_MINT);
    const vault = deriveVault(USDC_MINT);
    const permission = derivePermission(eata.address);
    const transfer: AccountsOf<typeof EATA_TABLE.deposit> = {
      eata: eata.address,
      vault: vault.address,
      mint: USDC_MINT,
      ownerAta: deriveAta(owner, USDC_MINT, TOKEN_PROGRAM).address,
      vaultAta: deriveAta(vault.address, USDC_MINT, TOKEN_PROGRAM).address,
      owner,
      tokenProgram: TOKEN_PROGRAM,
    };
    const delegation: DelegationAccounts = {
      buffer: deriveDelegateBuffer(eata.address, EPHEMERAL_TOKEN_PROGRAM).address,
      record: deriveDelegationRecord(eata.address).address,
      metadata: deriveDelegationMetadata(eata.address).address,
    };
    return { eata, vault, permission, transfer, delegation };
  };

  it('moves the tokens to the vault and delegates the account to the validator', async () => {
    const payer = alice.address;
    const { eata, vault, permission, transfer, delegation } = parts(payer);
    const deposit = buildTransaction(
      world.ledger,
      [alice],
      [
        encode(
          EATA_TABLE_A.initEata,
          { eata: eata.address, payer, owner: payer, mint: USDC_MINT },
          { eataBump: eata.bump },
        ),
        encode(EATA_TABLE_A.initVault, { ...transfer, payer }, { vaultBump: vault.bump }),
        createAtaIdempotent({
          payer,
          ata: transfer.vaultAta,
          owner: vault.address,
          mint: USDC_MINT,
          tokenProgram: TOKEN_PROGRAM,
        }),
        encode(EATA_TABLE.deposit, transfer, { amount: 400_000n }),
        encode(
          EATA_TABLE_A.delegateEata,
          { payer, eata: eata.address, delegation },
          { eataBump: eata.bump, validator: LOCALNET_VALIDATOR },
        ),
        encode(
          EATA_TABLE_A.createPermission,
          { eata: eata.address, permission: permission.address, payer },
          { eataBump: eata.bump, flags: 0 },
        ),
      ],
    );
    const simulation = world.ledger.simulate(deposit, { verifySignatures: true, replaceBlockhash: false });
    expect(simulation.err, simulation.logs.join('\n')).toBeNull();
    const { signature } = await world.ledger.submit(deposit);

    const held = (address: Address) =>
      readTokenAmount(world.ledger.getAccount(address)?.data ?? new Uint8Array(0));
    expect(held(transfer.vaultAta)).toBe(400_000n);
    expect(held(transfer.ownerAta)).toBe(600_000n);
    expect(world.ledger.getAccount(eata.address)?.owner).toBe(DELEGATION_PROGRAM);
    expect(delegatedValidator(world.ledger.getAccount(delegation.record), EPHEMERAL_TOKEN_PROGRAM)).toBe(
      LOCALNET_VALIDATOR,
    );
    expect(holdingsOf(world.ledger, USDC_MINT)).toEqual([
      { address: transfer.ownerAta, amount: 600_000n },
      { address: transfer.vaultAta, amount: 400_000n },
    ]);

    const record = world.ledger.getTransaction(signature);
    expect(record).toMatchObject({ err: null, fee: 5_000n });
    expect(record?.innerInstructions.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(
      record?.innerInstructions
        .flatMap(({ instructions }) => instructions)
        .every((call) => call.stackHeight > 1),
    ).toBe(true);
    expect(record?.preTokenBalances.map(({ amount }) => amount)).toEqual([1_000_000n]);
    expect(record?.postTokenBalances.map(({ amount }) => amount).sort()).toEqual([400_000n, 600_000n]);
  });

  it('cannot be topped up while it is delegated', () => {
    const { transfer } = parts(alice.address);
    const topUp = buildTransaction(
      world.ledger,
      [alice],
      [encode(EATA_TABLE.deposit, transfer, { amount: 1n })],
    );
    const { err } = world.ledger.simulate(topUp, { verifySignatures: false, replaceBlockhash: true });
    expect(err).toEqual({ InstructionError: [0, 'ExternalAccountDataModified'] });
  });
});
