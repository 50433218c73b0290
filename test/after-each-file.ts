// Runs before each test file, so that this hook, the first, is the last to be called.
import { afterAll } from 'vitest';
import { compareBytesAtOnce } from './bytes-equality.ts';
import { removeFoldersOfFile } from './folders.ts';

compareBytesAtOnce();
afterAll(removeFoldersOfFile);
