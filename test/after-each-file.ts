// Runs before each test file. Its hook is registered first, so it is called last.
import { afterAll } from 'vitest';
import { compareBytesAtOnce } from './bytes-equality.ts';
import { removeFoldersOfFile } from './folders.ts';

compareBytesAtOnce();
afterAll(removeFoldersOfFile);
