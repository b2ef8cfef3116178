import type { en } from './en.ts'

/** The same hints in German; `tool` and `field` are names and stay. */
export const de = {
  hint_auth_001:
    'Verwende gültige Zugangsdaten: bei HTTP 401 den Gateway-Schlüssel, sonst das Token des Dienstes.',
  hint_forbidden_001: 'Nicht wiederholen; lass dir Zugriff geben oder nimm ein anderes Konto.',
  hint_not_found_001:
    'Prüfe die Namen in der Eingabe; was diese Zugangsdaten nicht sehen dürfen, sieht ebenso aus.',
  hint_validation_001: 'Berichtige die genannten Felder anhand des Eingabeschemas.',
  hint_conflict_001:
    'Lies zuerst den jetzigen Zustand und entscheide dann, ob die Änderung noch gewollt ist.',
  hint_too_large_001:
    'Sende oder verlange weniger: weniger Felder mit fields oder ein größeres token_budget.',
  hint_rate_limit_001:
    'Warte so lange, wie der Fehler sagt, und sende dann denselben Aufruf noch einmal.',
  hint_timeout_001:
    'Wiederhole ein Lesen; vor dem Wiederholen einer Änderung prüfe, ob sie schon wirksam ist.',
  hint_network_001:
    'Wiederhole ein Lesen gleich; bei einer Änderung sieh erst nach, ob sie schon wirksam ist.',
  hint_server_001:
    'Versuche ein Lesen später wieder; bei einer Änderung sieh erst nach, ob sie schon wirksam ist.',
  hint_not_ready_001: 'Angenommen und noch in Arbeit; frage gleich noch einmal.',
  hint_output_invalid_001:
    'Sag dem Betreiber Bescheid: Der Dienst antwortet anders, als die Karte angibt.',
  hint_adapter_unsupported_001:
    'Lass route weg oder bitte den Betreiber, das Genannte zu installieren.',
  hint_cancelled_001: 'Du bist vor der Antwort gegangen; rufe noch einmal auf, wenn du sie willst.',
  hint_unknown_001: 'Nenne dem Betreiber die Kennung der Anfrage; das Journal weiß, was geschah.',
} as const satisfies Record<keyof typeof en, string>
