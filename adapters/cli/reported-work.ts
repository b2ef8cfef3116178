/** What tools print on stdout when a part of the work is done. */
const REPORTS = [
  /^https?:\/\/\S+$/, // gh, glab: the address of what was created
  /^[\w.-]+\/[\w.:-]+ (?:created|configured|deleted|patched|replaced|scaled|labeled|annotated)\b/, // kubectl
  /: (?:creation|modifications|destruction) complete after /i, // terraform
  /^(?:upload|copy|move|delete): \S+/, // aws s3
]

/** Whether a program that failed had said before that something was done: then repeating would do it twice. */
export function reportsWork(stdout: string): boolean {
  return stdout.split(/\r?\n/).some(line => REPORTS.some(report => report.test(line.trim())))
}
