import { isServiceError } from '../../../errors/service-error.ts';
import { SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { isTokenProgram } from '../../../programs/token/state.ts';
import type { Address } from '../../../solana/address.ts';
import { deriveMintVault, isShuttleTaken, readVault } from '../../accounts/deposit-accounts.ts';
import { isProgramAccount } from '../../accounts/token-account.ts';
import type { ExplainedCalls } from '../explain-calls.ts';
import type { Finding, FindingCode } from '../finding.ts';
import type { Reading } from '../reading.ts';
import type { Difference } from '../request/compare.ts';

/** A fault of one instruction that the ledger reveals. */
interface InstructionFault {
  readonly instruction: number;
  /** A clause without a full stop. */
  readonly message: string;
}

/** Faults as dangers. `consequence` ends each sentence. */
const faultFindings = (faults: readonly InstructionFault[], code: FindingCode, consequence = ''): Finding[] =>
  faults.map(({ instruction, message }) => ({
    level: 'danger',
    code,
    message: `Instruction ${instruction}: ${message}${consequence}.`,
    instruction,
  }));

/** The same as differences from a request. */
const faultDifferences = (
  faults: readonly InstructionFault[],
  part: string,
  expected: string,
): Difference[] =>
  faults.map(({ instruction, message }) => ({ instruction, part, expected, found: message }));

/** Instructions that move tokens with a new shuttle. */
const CARRYING: ReadonlySet<string> = new Set(['depositByShuttle', 'privateTransfer', 'withdrawByShuttle']);

/** The shuttles that a transaction fills: the addresses of their metadata and their eATA. */
export const shuttlesOf = ({
  calls,
}: ExplainedCalls): { readonly shuttle: Address; readonly shuttleEata: Address }[] =>
  calls.flatMap(({ matched, reading }) => {
    if (matched === null || !CARRYING.has(matched.form.action)) return [];
    const [shuttle, shuttleEata] = [reading?.account('shuttle'), reading?.account('shuttleEata')];
    return shuttle && shuttleEata ? [{ shuttle, shuttleEata }] : [];
  });

/** The eATAs that a transaction must delegate to move its tokens. */
export const shuttleEatasOf = (explained: ExplainedCalls): ReadonlySet<Address> =>
  new Set(shuttlesOf(explained).map(({ shuttleEata }) => shuttleEata));

/** Shuttles that a transaction wants to fill and cannot, by instruction. */
function takenShuttles({ calls }: ExplainedCalls): InstructionFault[] {
  return calls.flatMap(({ matched, reading }, instruction) => {
    if (matched === null || reading === null || !CARRYING.has(matched.form.action)) return [];
    const [shuttle = null, shuttleEata = null] = [
      reading.accountOf('shuttle'),
      reading.accountOf('shuttleEata'),
    ];
    if (!isShuttleTaken({ shuttle, shuttleEata })) return [];
    const what = isShuttleTaken({ shuttle, shuttleEata: null })
      ? 'is there already'
      : `cannot carry anything, because its eATA ${reading.name('shuttleEata')} is already delegated`;
    return [{ instruction, message: `shuttle ${reading.name('shuttle')} ${what}` }];
  });
}

/** The program treats a repeated id as a repeated transaction: it charges its fee and moves nothing. */
export const shuttleFindings = (explained: ExplainedCalls): Finding[] =>
  faultFindings(
    takenShuttles(explained),
    'SHUTTLE_TAKEN',
    ', so the program would charge its fee and move nothing',
  );

/** The same as differences from a request. */
export const shuttleDifferences = (explained: ExplainedCalls): Difference[] =>
  faultDifferences(takenShuttles(explained), 'shuttleId', 'the id of no shuttle yet');

/** Faults of the vaults a transaction names, by instruction. */
function vaultFaults({ calls }: ExplainedCalls): InstructionFault[] {
  return calls.flatMap(({ reading }, instruction) => {
    const message = reading === null ? null : vaultFault(reading);
    return message === null ? [] : [{ instruction, message }];
  });
}

/**
 * The fault of a vault that does not belong to the program or the mint, or whose tokens someone else can
 * take.
 */
function vaultFault(reading: Reading): string | null {
  const [mint, tokenProgram] = [reading.account('mint'), reading.account('tokenProgram')];
  const [vault, ata] = [reading.accountOf('vault'), reading.accountOf('vaultAta')];
  if (mint === null || !isTokenProgram(tokenProgram) || vault === undefined) return null;
  const { vault: expected, vaultAta } = deriveMintVault(mint, tokenProgram);
  // A wrong address is reported separately.
  if (reading.account('vault') !== expected.address) return null;
  if (vault !== null && vault.owner !== SYSTEM_PROGRAM && !isProgramAccount(vault)) {
    return `the vault ${expected.address} of mint ${mint} belongs to program ${vault.owner} and not to the program that pays out of it`;
  }
  if (ata === undefined || reading.account('vaultAta') !== vaultAta) return null;
  try {
    const place = { vault: expected, vaultAta, mint, tokenProgram };
    const rules = readVault(place, { vault, vaultAta: ata })?.rules;
    const closing = rules?.closeAuthority === expected.address ? null : rules?.closeAuthority;
    const other = rules?.delegate ?? closing ?? null;
    return other === null
      ? null
      : `${other} has rights over the token account ${vaultAta} of the vault of mint ${mint}, which only the vault should have`;
  } catch (error) {
    if (isServiceError(error)) return error.message;
    throw error;
  }
}

/** Vaults that should not be paid into. */
export const vaultFindings = (explained: ExplainedCalls): Finding[] =>
  faultFindings(vaultFaults(explained), 'VAULT_WRONG');

/** The same as differences from a request. */
export const vaultDifferences = (explained: ExplainedCalls): Difference[] =>
  faultDifferences(
    vaultFaults(explained),
    'vault',
    'the vault of the mint, and no one else with rights over it',
  );
