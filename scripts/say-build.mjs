/** What `npm start` says before it builds, of which nothing else is seen. On stderr: stdout is for scripts. */
process.stderr.write('Building the program from its sources, which may take half a minute ...\n');
