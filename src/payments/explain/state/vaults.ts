import { isServiceError } from '../../../errors/service-error.ts';
import { SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { isTokenProgram } from '../../../programs/token/token-program.ts';
import { deriveMintVault } from '../../accounts/deposit-accounts.ts';
import { isProgramAccount } from '../../accounts/program-account.ts';
import { readVault } from '../../accounts/vault-state.ts';
import type { ExplainedCalls } from '../explain-calls.ts';
import type { Finding } from '../finding.ts';
import type { Reading } from '../reading.ts';
import type { Difference } from '../request/compare.ts';
import { faultDifferences, faultFindings, type InstructionFault } from './instruction-fault.ts';

/** Faults of the vaults a transaction names, by instruction. */
function vaultFaults({ calls }: ExplainedCalls): InstructionFault[] {
  return calls.flatMap(({ reading }, instruction) => {
    const message = reading === null ? null : vaultFault(reading);
    return message === null ? [] : [{ instruction, message }];
  });
}

/** A vault that does not belong to the program or the mint, or whose tokens someone else can take. */
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
    'the vault of the mint, and nobody else with rights over it',
  );
