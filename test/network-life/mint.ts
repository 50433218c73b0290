import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getProgramDerivedAddress,
  getU64Encoder,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type Address,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';

const SYSTEM = address('11111111111111111111111111111111');
export const TOKEN = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const ATA_PROGRAM = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');

/** Size of a mint in bytes (SPL Token `Mint`), and its rent. */
const MINT_BYTES = 82n;
const MINT_LAMPORTS = 1_461_600n;

const u64 = (value: bigint): readonly number[] => [...getU64Encoder().encode(value)];
const key = (of: Address): readonly number[] => [...getAddressEncoder().encode(of)];

/** Options for a mint. */
interface MintTerms {
  readonly decimals: number;
  /** Amount for each owner, in base units. */
  readonly amount: bigint;
  readonly owners: readonly Address[];
  /** Default: SPL Token. */
  readonly tokenProgram?: Address;
  /** Whether the payer may freeze its accounts. Default: false. */
  readonly isFreezable?: boolean;
}

/**
 * Creates a mint and mints `amount` base units to each owner's ATA, in one transaction. `payer` signs it and
 * becomes the authority. Resolves to the mint's address.
 */
export async function createMint(
  ledgerUrl: string,
  payer: KeyPairSigner,
  { decimals, amount, owners, tokenProgram = TOKEN, isFreezable = false }: MintTerms,
): Promise<Address> {
  const mint = await generateKeyPairSigner();
  const freezer = isFreezable ? [1, ...key(payer.address)] : [0];
  const instructions: Instruction[] = [
    {
      programAddress: SYSTEM,
      accounts: [signer(payer), signer(mint)],
      data: Uint8Array.from([0, 0, 0, 0, ...u64(MINT_LAMPORTS), ...u64(MINT_BYTES), ...key(tokenProgram)]),
    },
    {
      programAddress: tokenProgram,
      accounts: [writable(mint.address)],
      data: Uint8Array.from([20, decimals, ...key(payer.address), ...freezer]),
    },
  ];
  for (const owner of owners) {
    instructions.push(...(await mintTo(payer, { mint: mint.address, owner, amount, tokenProgram })));
  }
  await sendInstructions(ledgerUrl, payer, instructions);
  return mint.address;
}

/** Sends instructions to a ledger in one transaction. `payer` signs it and pays its fee. */
export async function sendInstructions(
  ledgerUrl: string,
  payer: KeyPairSigner,
  instructions: readonly Instruction[],
): Promise<void> {
  const rpc = createSolanaRpc(ledgerUrl);
  const { value: latest } = await rpc.getLatestBlockhash().send();
  const transaction = await pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(latest, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    (message) => signTransactionMessageWithSigners(message),
  );
  const wire = getBase64EncodedWireTransaction(transaction);
  await rpc.sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'confirmed' }).send();
}

/** Returns the address of an owner's ATA for a mint. */
export async function findAta(
  owner: Address,
  mint: Address,
  tokenProgram: Address = TOKEN,
): Promise<Address> {
  const seeds = [owner, tokenProgram, mint].map((seed) => getAddressEncoder().encode(seed));
  const [ata] = await getProgramDerivedAddress({ programAddress: ATA_PROGRAM, seeds });
  return ata;
}

/** Creates two instructions: `CreateIdempotent` of the ATA program, then `MintTo`. */
export async function mintTo(
  authority: KeyPairSigner,
  terms: { mint: Address; owner: Address; amount: bigint; tokenProgram: Address },
): Promise<Instruction[]> {
  const { mint, owner, amount, tokenProgram } = terms;
  const ata = await findAta(owner, mint, tokenProgram);
  const others = [owner, mint, SYSTEM, tokenProgram];
  return [
    {
      programAddress: ATA_PROGRAM,
      accounts: [
        signer(authority),
        writable(ata),
        ...others.map((each) => ({ address: each, role: AccountRole.READONLY })),
      ],
      data: Uint8Array.of(1),
    },
    {
      programAddress: tokenProgram,
      accounts: [writable(mint), writable(ata), signer(authority)],
      data: Uint8Array.from([7, ...u64(amount)]),
    },
  ];
}

/** `FreezeAccount` of the token programs (tag 10). The owner's ATA can then neither receive nor send. */
export async function freezeAta(
  ledgerUrl: string,
  authority: KeyPairSigner,
  { owner, mint }: { owner: Address; mint: Address },
): Promise<void> {
  const ata = await findAta(owner, mint);
  await sendInstructions(ledgerUrl, authority, [
    {
      programAddress: TOKEN,
      accounts: [writable(ata), { address: mint, role: AccountRole.READONLY }, signer(authority)],
      data: Uint8Array.of(10),
    },
  ]);
}

const writable = (of: Address) => ({ address: of, role: AccountRole.WRITABLE });
const signer = (of: KeyPairSigner) => ({
  address: of.address,
  role: AccountRole.WRITABLE_SIGNER,
  signer: of,
});
