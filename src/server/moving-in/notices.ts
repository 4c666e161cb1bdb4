/** Texts of WhatsApp itself about a group, in Spanish and English. */
const notices = [
  // People who come and go.
  /(?:^| )(?:añadi|agreg|elimin|expuls|quit|sac)(?:ó|aste|ste) a /i,
  /(?:^| )te (?:añadió|agregó|eliminó|expulsó|quitó|sacó)/i,
  /(?:se|fue|fuiste|fueron) (?:añadi|agrega|elimina)(?:ó|d[oa]s?)(?: |$)/i,
  /(?: salió|^saliste|abandonó)(?: del grupo| el grupo)?\.?$/i,
  /(?:se unió|te uniste|se unieron) (?:al|con|mediante|usando|por|a través|desde)/i,
  /(?:solicitó|solicitaste|solicitaron) unirse/i,
  / (?:added|removed) \S|was (?:added|removed)|(?: left|^you left)(?: the group)?\.?$/i,
  /joined (?:using|via|from|this group)|requested to join/i,
  // Changes of the group.
  /(?:creó|creaste) (?:el|este|un) grupo|created (?:this |the )?group/i,
  /(?:cambió|cambiaste|eliminó|eliminaste|editó) (?:el (?:nombre|asunto|[ií]cono)|la (?:descripción|foto|imagen|configuración|duración)|los ajustes)/i,
  /(?:cambió|cambiaste) (?:a un|su|tu) (?:nuevo )?número|changed (?:the|this|their|to|your) /i,
  /código de seguridad|security code/i,
  /\b(?:eres|es|son) (?:el )?admin|(?:now|longer) an admin/i,
  /(?:fijó|fijaste) un mensaje|pinned a message/i,
  /(?:^| )(?:des)?activ(?:ó|aste) (?:el|la|los) |turned (?:on|off) /i,
  /mensajes temporales|disappearing messages/i,
  // Encryption and calls.
  /de extremo a extremo|end-to-end encrypted/i,
  /^(?:video)?llamada[a-z ]* perdida|^missed (?:group )?(?:voice|video)/i,
  /(?:comenzó|inició|iniciaste|started) (?:a|una) (?:call|(?:video)?llamada|video call)/i,
];
/** The notice about encryption, with which exports begin. */
const encryption =
  /^(?:los mensajes|las llamadas|messages|calls)[^.\n]{0,100}(?:extremo a extremo|end-to-end)/i;
const calls =
  /^(?:(?:video)?llamada(?: de voz| grupal)?(?:[,.]| perdida)|(?:missed )?(?:group )?(?:video|voice) (?:call|chat)(?:[,.]|$| at))/i;
/** No notice is longer, even with two names of groups. */
const longestNotice = 400;

/** Whether a text that no person wrote is a notice about the group. */
export const isNotice = (text: string) =>
  text.length <= longestNotice && notices.some((notice) => notice.test(text));
export const isEncryptionNotice = (text: string) => encryption.test(text);
/** Whether a text that WhatsApp marked as its own tells of a call. */
export const isCall = (text: string) => calls.test(text);
