/** Lines that tools print on stdout when part of the work is done. */
const REPORTS = [
  /^https?:\/\/\S+$/, // gh, glab: the URL of the created object
  /^[\w.-]+\/[\w.:-]+ (?:created|configured|deleted|patched|replaced|scaled|labeled|annotated)\b/, // kubectl
  /: (?:creation|modifications|destruction) complete after /i, // terraform
  /\bok=\d+\s+changed=[1-9]/, // ansible's recap of a host
  /^(?:upload|copy|move|delete): \S+/, // aws s3
]

const DONE =
  '(?:created|updated|configured|deleted|removed|patched|replaced|scaled|applied|uploaded|pushed|published|deployed|posted|sent|copied|moved|transferred|merged|closed|added|inserted|imported|migrated|installed|registered|restarted|assigned|granted|revoked|renamed|synced)'
/** Times, levels and bullets in front of a line: `2022-03-18 10:50:24 [ℹ]  `, `[INFO] `, ` - `, `► `. */
const PREFIX =
  /^(?:[\d\-:.,TZ/+]{5,35}\s+|\[?(?:info|notice|debug|ok|done|\d{1,5}\/\d{1,5}|[^\w\s[\]]{1,2})\]?:?\s+){1,4}/i
/** A mark that a step is done. */
const MARK = /^[\s[(]*[✔✓☑√✅]/
/** `Created order 1`, `posted 1 of 2`; not `Created by …`, `updated 0 of 5`. */
const FIRST = new RegExp(`^${DONE}(?::? [^:]|:$)(?! ?\\d*0 of )`, 'i')
/** `deployment.apps/web configured`, `AMIs were created:`; see NOT_DONE. */
const LAST = new RegExp(`^(?!\\w+ing\\b).*\\b${DONE}(?: successfully)?[.:!]?$`, 'i')
const ANYWHERE = new RegExp(`\\b${DONE}\\b`, 'i')
/** Words that tell of work that was not done, that will be, or that somebody else did. */
const NOT_DONE =
  /\b(?:not?|none|nothing|never|cannot|unable|fail\w*|errors?|denied|could|would|should|can|may|must|will|be|been|is|are|being|already|if|unless|until|before|by|0|dry[- ]run|\w+n't)\b/i

/** The verb of a step that begins, with another object each time: `Applying migration a`, `Applying migration b`. */
const STEP =
  /^(apply|upload|push|publish|deploy|creat|updat|delet|remov|add|copy|mov|transferr|insert|import|send|post|patch|migrat)ing (\S.{0,300})$/i

/** The work that a failed program shows: `finished` in part, `several` steps begun, or null. */
export type ReportedWork = 'finished' | 'several' | null

/**
 * Finds finished work that a failed program reported before it failed, which a retry would do twice. A program that
 * begins a second step of the same kind has sent more than one request.
 * @param masked hides the words that users chose, which may look like a report
 */
export function reportedWork(
  stdout: string,
  stderr: string,
  masked: (lines: readonly string[]) => readonly string[],
): ReportedWork {
  const printed = linesOf(stdout)
  if (printed.some(line => REPORTS.some(report => report.test(line)))) return 'finished'
  const errors = linesOf(stderr)
  if (masked(printed).some(isReport) || masked(errors).some(isMarked)) return 'finished'
  return [printed, errors].some(hasSeveralSteps) ? 'several' : null
}

const MAX_TEXT = 32_768
const MAX_LINE = 300

function linesOf(text: string): string[] {
  const lines = text.slice(-MAX_TEXT).split(/\r?\n/)
  return lines.map(line => line.slice(0, MAX_LINE).trim()).filter(line => line !== '')
}

function isReport(line: string): boolean {
  if (isMarked(line)) return true
  const text = line.replace(PREFIX, '')
  return (FIRST.test(text) || LAST.test(text)) && !NOT_DONE.test(text)
}

function isMarked(line: string): boolean {
  return MARK.test(line) && ANYWHERE.test(line) && !NOT_DONE.test(line)
}

function hasSeveralSteps(lines: readonly string[]): boolean {
  const objects = new Map<string, string>()
  return lines.some(line => {
    const [, verb = '', object = ''] = STEP.exec(line.replace(PREFIX, '')) ?? []
    if (verb === '') return false
    const before = objects.get(verb.toLowerCase()) ?? object
    objects.set(verb.toLowerCase(), before)
    return before !== object
  })
}
