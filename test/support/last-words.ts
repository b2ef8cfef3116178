import { CORPORA, readCases } from '../failures/case.ts'

/** Every message of the failure corpora that a program could print as its last words. */
export const LAST_WORDS: readonly string[] = [
  ...new Set(
    CORPORA.flatMap(readCases).flatMap(({ route, observed: { stderr, body } }) => {
      if (route === 'cli') return [stderr ?? '']
      const message = (body as { message?: unknown } | null | undefined)?.message
      return typeof message === 'string' ? [message] : []
    }),
  ),
].filter(words => words !== '')
