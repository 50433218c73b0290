import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { assertLmdbFile } from '../ledger/store/lmdb-file.ts';
import { MemoryAnswers } from '../service/rest/answer-store.ts';
import { DiskAnswers, type DiskAnswersOptions } from '../service/rest/disk-answers.ts';
import { IdempotencyKeys, type KeyTable } from '../service/rest/idempotency-keys.ts';
import type { Nodes } from './nodes.ts';
import type { Ports } from './ports.ts';
import type { Resource } from './resources.ts';

/** The file in the data folder. LMDB's reader table is in one of the same name with `-lock` appended. */
const FILE = 'answers.mdb';

/** The table of idempotency keys of this stack. */
interface KeptKeys extends Resource {
  readonly keys: KeyTable;
}

/**
 * Opens the table of idempotency keys: in the data folder, which is this process's alone while its ledger is
 * open, or in memory where there is none. An answer is found as long as the base ledger is the one that it is
 * about, over restarts too.
 *
 * @throws the system's error where the folder cannot be written.
 */
export function openKeys(
  { dataFolder, ledgers }: Pick<Nodes, 'dataFolder' | 'ledgers'>,
  ports: Ports,
): KeptKeys {
  const about = (): string => ledgers?.base.genesisHash ?? '';
  if (dataFolder === null || ledgers === null) {
    return { keys: new IdempotencyKeys(new MemoryAnswers(ports.clock), about), close: () => undefined };
  }
  const answers = openAnswers({ file: join(dataFolder, FILE), ...ports });
  return { keys: new IdempotencyKeys(answers, about), close: () => answers.close() };
}

/** A file that cannot be read is begun anew: without it, a repeated request is carried out again. */
function openAnswers(options: DiskAnswersOptions): DiskAnswers {
  const { file, logger } = options;
  try {
    assertLmdbFile(file);
    return new DiskAnswers(options);
  } catch (error) {
    if (isOfSystem(error)) throw error;
    logger.warn(
      { err: error, file },
      'the answers to requests with an Idempotency-Key cannot be read and are forgotten',
    );
    for (const each of [file, `${file}-lock`]) rmSync(each, { force: true });
    return new DiskAnswers(options);
  }
}

/**
 * Whether the system refused something, which says nothing about the file. LMDB gives it a positive number.
 */
function isOfSystem(error: unknown): boolean {
  const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown };
  return syscall !== undefined || (typeof code === 'number' && code > 0);
}
