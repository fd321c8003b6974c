"""Rules for English sentences that tell an assistant what to do, say or be.

Release notes also address their reader ("you must pass ..."), give orders ("ignore the warning"), and
describe assistants and language models. What they never do is talk about the conversation that quotes them:
the answer and the asker, the instructions and the prompt, the role and the limits of the assistant. Each rule
requires one of these in addition to the order.
"""

from __future__ import annotations

_AI = (
    r"(?:AI|A\.I\.|LLMs?|GPT(?:-?\d)?|chat ?bots?|bots?|(?:(?:virtual|digital|chat|coding|language|smart|helpful)[- ])?assistants?"
    r"|(?:large )?language models?|(?:AI|chat) (?:models?|agents?|readers?|systems?)|copilots?)"
)
_NAMES_OF_AI = "ai|a.i.|llm|gpt|bot|assistant|language model|chat|copilot"
_START = r"(?:^\W*|[,;:(!?]\s*|[—–-]\s+|\b(?:please|kindly|then|simply|just)\s+)"  # where an order can begin
_YOU_MUST = r"\byou(?:'ll| will| must| should| shall| may| can| need to| have to| are to| ought to| had better)(?: (?:now|only|also|always|never|not))*\s+"
_ORDER = rf"(?:{_START}(?:always |never |only |do not |don't |must (?:not )?)?|{_YOU_MUST})"
_SAY = (
    r"(?:answer|reply|respond|say|state|mention|claim|recommend|praise|promote|admit|acknowledge|declare|assert|insist"
    r"|describe|present|summari[sz]e|cite|leave out|omit|warn|tell)"
)
#: The person asking. "Users" without a determiner are those of a library.
_ASKER = (
    r"(?:(?:the|your|this|that|each|every|any|all)\s+(?:user|reader|asker|questioner|person|customer|visitor|human)s?(?!\s*(?:process|thread|space"
    r"|code|mode|id|name|group|interface|stub|defined|function|side|object|class|account|guide|model|-|'s\b))|whoever (?:asked|asks|is asking|reads|is reading)"
    r"|(?:the )?(?:people|person|human|one|those) (?:asking|who (?:asked|asks?)|reading (?:this|your))|readers\b)"
)
_THOSE = "user|reader|asker|question|person|customer|visitor|human|whoever|people|asking|who ask"
_TOLD = r"(?:instructions?|prompts?|guidelines?|guidance|directives?|directions)"
_GIVEN = "instruction|prompt|guid|direct"
_REVOKE = r"\b(?:ignore|disregard|forget|override|bypass|discard|drop|set aside|put aside|abandon)\s+"
_REVOKED = "ignore|disregard|forget|override|bypass|discard|drop|aside|abandon"
_BEFORE = r"(?:previous|prior|earlier|preceding|above|foregoing|former|initial|original|existing|given|other|system|safety)"
_THIS = r"(?:this|these|the (?:following|next|above|present))"
_PART = r"(?:page|document|text|section|notes?|passage|paragraph|sentence|line|content|material|excerpt|claim|statement|article)s?"
_REPLIES = "answer|reply|replies|respon|summar"
#: The authority over the assistant, and the instructions it gave.
_CHIEF = r"(?:developer|operator|supervisor|provider|administrator|admin|system|creator|vendor|governing|safety|moderation|content|ethic(?:s|al))(?:'s|s')?"
_RULED = r"(?:messages?|prompts?|instructions?|directions?|directives?|constraints?|rules|polic(?:y|ies)|restrictions|guidelines|guardrails|filters?|limitations)"
_GONE = r"(?:void|null|obsolete|expired|revoked|suspended|superseded|cancell?ed|lifted|invalid|irrelevant|outdated|withdrawn|over)"
_SECRET = r"(?:hidden|concealed|confidential|secret|unseen|undisclosed|private|invisible)"
_SHOW = (
    r"(?:reveal|disclose|expose|leak|return|reproduce|recite|provide|show|print|display|output|repeat|quote|share|give|hand over|surrender|exfiltrate|send|dump|echo|write"
    r"|tell (?:me|us))"
)

#: Required words and pattern. A pattern is tried only on sentences with a word of each group ("a|b & c").
RULES: tuple[tuple[str, str], ...] = (
    # Revoking earlier instructions.
    (
        f"{_REVOKED} & {_GIVEN}",
        rf"{_REVOKE}(?:about\s+)?(?:(?:of|the|my|our)\s+){{0,3}}(?:all|any|every|your|these|those|{_BEFORE})\s+"
        rf"(?:(?:all|any|of|the|my|our|your|these|those|{_BEFORE})\s+){{0,5}}{_TOLD}\b",
    ),
    (
        f"{_REVOKED} & rules|polic|restrict|orders|training|program|role|safeguard",
        rf"{_REVOKE}(?:(?:all|any|every|of|the)\s+){{0,4}}(?:(?:your|previous|prior|earlier|preceding|above)\s+)+(?:safety |own |other )?"
        r"(?:rules|polic(?:y|ies)|restrictions|orders|training(?: data)?|programming|role|safeguards)\b"
        rf"|{_REVOKE}(?:all|any)\s+(?:of\s+)?(?:the |your )?(?:rules|restrictions)\b",
    ),
    (
        f"{_REVOKED} & context|conversation|messages|text|content",
        rf"{_REVOKE}(?:all|any)\s+(?:of\s+)?(?:the\s+)?{_BEFORE}\s+(?:context|conversation|messages|text|content)\b",
    ),
    (
        f"{_REVOKED}|mind & told|said|above|before|learn|read|know|wr",
        rf"(?:{_REVOKE}|\bnever ?mind\s+)(?:everything|anything|whatever|all(?: of)? (?:that|this)|all you|what)\b[^.]{{0,30}}\b(?:told|said|above|before|learn(?:ed|t)|read|know|wrote|written)\b",
    ),
    (
        f"{_GIVEN}|rules|orders|restrict|constraint & you",
        rf"\b(?:{_TOLD}|rules|orders|restrictions|constraints)\s+(?:that |which )?you (?:were (?:given|told|shown|sent)|(?:have )?(?:received|got)|have been (?:given|told)|are following)\b",
    ),
    (
        f"{_GIVEN} & void|null|revoked|suspended|superseded|cancel|lifted|invalid",
        rf"\b(?:your|all|previous|prior|earlier|preceding|above|initial|original)\s+(?:\w+\s+)?{_TOLD}\b[^.]{{0,30}}\b(?:are|is)\b[^.]{{0,12}}"
        r"\b(?:void|null|revoked|suspended|superseded|cancell?ed|lifted|invalid)\b",
    ),
    (
        "consider|treat|regard|declare & invalid|void|null|obsolete|cancel",
        rf"\b(?:consider|treat|regard|declare)\s+(?:all|any|everything|the)\b[^.]{{0,12}}\b{_BEFORE}\b[^.]{{0,20}}\b(?:invalid|void|null|obsolete|cancell?ed)\b",
    ),
    (
        f"{_GIVEN}|task|orders & new|updated|real|actual|hidden|secret|urgent",
        rf"^\W*(?:(?:new|updated|real|actual|hidden|secret|urgent)\s+(?:system\s+)?{_TOLD}|your new (?:task|orders|{_TOLD}))\s*(?::|for\b)",
    ),
    (
        f"{_REVOKED}|replace|treat|consider|regard|clear|erase|overrule & develop|operator|superv|provider|admin|system|creator|vendor|govern|safety|moderation|content|ethic",
        rf"\b(?:ignor(?:e|ing)|disregard|forget|override|bypass|replace|treat|consider|regard|erase|overrule)\s+(?:(?:all|any|the|your|of)\s+){{0,3}}{_CHIEF}\s+{_RULED}\b",
    ),
    (
        "guardrail|safeguard",
        r"\b(?:bypass|ignore|disable|drop|remove|defeat|without)\s+(?:(?:all|any|your|the|its)\s+){0,2}(?:\w+ )?(?:guardrails|safeguards)\b",
    ),
    (
        "void|null|obsolete|expired|revoked|suspended|superseded|cancel|lifted|invalid|irrelevant|outdated|withdrawn|no longer",
        rf"\b(?:{_CHIEF}|your)\s+(?:\w+\s+)?{_RULED}\b[^.]{{0,24}}\b(?:no longer appl(?:y|ies)|{_GONE}\b)"
        rf"|\b{_BEFORE}\s+(?:\w+\s+){{0,2}}(?:{_RULED}|context|orders)\b[^.]{{0,24}}(?:\bno longer appl(?:y|ies)|\b{_GONE})\b[^.]{{0,40}}\b{_SHOW}\b"
        rf"|^\W*{_BEFORE} (?:context|conversation|instructions?) (?:is|are) (?:now )?{_GONE}\b",
    ),
    (
        "your message|your text",
        r"\b(?:encode|translate|convert|reverse|invert|write|rephrase)\b[^.]{0,30}\byour (?:message|text)\b",
    ),
    (
        "memory",
        r"\b(?:clear|erase|wipe|reset) your memory\b",
    ),
    (
        "you to ",
        r"\bI(?:'d)? (?:want|need|would like|like|expect|order|command) you to\b",
    ),
    (
        "compl|obey|any request|all request|every request|all quer|any quer|all questions|any question|every question",
        r"\b(?:comply with|obey|fulfil+|answer|respond to)\s+(?:any|all|every|each)(?: user)? (?:requests?|quer(?:y|ies)|commands?|questions?)\b",
    ),
    (
        "priority",
        rf"\b(?:give|grant|assign|treat|regard)\s+(?:{_THIS})\s*{_PART}[^.]{{0,24}}\b(?:top|highest|maximum|absolute|first) priority\b"
        rf"|\b(?:{_THIS})\s*{_PART}\s+(?:has|have|takes?|carr(?:y|ies))\s+(?:the )?(?:top|highest|maximum|absolute) priority\b",
    ),
    (
        "decode",
        r"\bdecode (?:this|the following|it)\b[^.]{0,60}\b(?:and|then)\b[^.]{0,12}\b(?:execute|follow|obey|run)\b",
    ),
    (
        "key|credential|token|secret|password",
        r"\b(?:send|post|forward|e-?mail|upload|transmit|exfiltrate|leak)\b[^.]{0,40}\b(?:api keys?|credentials|(?:access )?tokens?|secrets?|passwords?)\b[^.]{0,30}(?:\S@\S|\battacker\b)|\bexfiltrate\b[^.]{0,20}\b(?:keys?|credentials|tokens?|secrets?|passwords?)\b",
    ),
    # Addressing an AI.
    (
        _NAMES_OF_AI,
        rf"\b(?:notes?|messages?|instructions?|notice|memo|words?|requests?|reminder|hint|orders?)\s+(?:to|for)\s+(?:(?:the|any|all|every|our|whichever)\s+)*{_AI}\b"
        r"(?! (?:accelerat|backend|engineer|developer|researcher|compiler|inference|training|head|user|hardware))"
        rf"|\b(?:dear|hey|hi|hello|attention|listen|psst)[,:!]?\s+(?:(?:all|any|the|to|you|my)\s+)*{_AI}\b"
        rf"|^\W*{_AI}\s*[:,]\s*(?:please\b|you\b|do not\b|don't\b|never\b|always\b|{_SAY}\b|(?:ignore|forget|stop|skip|rate|rank|give|write|print|add|include|use|output|append|obey|follow)\b)"
        rf"|\bif you(?:'re| are)\s+(?:an?|the|any)\s+(?:\w+\s+){{0,2}}{_AI}\b|\bas an?\s+(?:\w+\s+){{0,2}}{_AI}\s*,|\bas the (?:\w+ )?{_AI}\s*,\s*(?:you|it is your|your)\b"
        rf"|\b(?:any|every|each|all|whichever|the)\s+{_AI}\s+(?:that|which|who)\s+(?:is |are )?(?:read|index|process|pars|see|summari|quot|ingest|retriev)\w*\b"
        rf"|\b{_AI}\s+reading (?:this|these)\b"
        rf"|\b{_AI}\b[^.]{{0,40}}\b(?:must|should|shall|ha(?:s|ve) to|(?:is|are) (?:\w+ed )?to|needs? to|ought to|please|will now|may not)\b[^.]{{0,40}}"
        rf"\b(?:{_SAY}|reveal|refuse|obey|comply|trust|always be given)\b",
    ),
    (
        "assistant|user|human & :",
        r"(?:^\W*|[.!?]\s+)(?:assistant|user|human)s?\s*:\s*\S[^:]{0,200}(?:\b(?:assistant|user|human)\s*:|\b(?:sure|certainly|of course|okay)\b|\byou\b)|^[^\w-]*assistant\s*:\s*\S",
    ),
    # Changing its role and limits.
    (
        "you are|you're",
        r"(?:^\W*|[.,;:!]\s*|\b(?:and|so|but|now)\s+)you(?:'re| are)\s+(?:now|henceforth|from now on)\s+(?:an?|my|our|called|named|playing|speaking as|acting as|DAN)\b"
        rf"|\byou(?:'re| are)\s+(?:an?|the)\s+(?:[\w-]+\s+){{0,3}}(?:{_AI}|DAN|pirate|character|persona|sales\w*)\b|\b(?-i:[Yy]ou are [A-Z]\w*bot)\b"
        r"|\byou(?:'re| are)\s+(?:hereby\s+)?no longer\s+(?:bound|restricted|constrained|limited|governed|subject|an?\b|required to (?:follow|obey|refuse|cite))"
        r"|\byou are (?:hereby )?(?:ordered|commanded|instructed|authori[sz]ed) to\b",
    ),
    (
        " mode",
        r"\byou\b[^.]{0,40}\b(?:to|in|into|under|enter|entering|entered)\s+(?:the\s+)?(?:developer|god|admin(?:istrator)?|jailbreak|unrestricted|DAN|sudo|maintenance)\s+mode\b"
        rf"|{_START}(?:enter|activate|switch (?:in)?to)\s+(?:the\s+)?(?:god|jailbreak|unrestricted|DAN)\s+mode\b",
    ),
    (
        "anything|freely|without",
        r"\b(?:say|do|answer|tell) anything (?:now|you (?:like|want)|at all)\b|\b(?:may|can) (?:now )?(?:say|do) anything\b|\b(?:speak|talk|answer) (?:freely|without (?:restrictions|filters|limits))\b",
    ),
    (
        "safety|content|ethical & off|disabled|suspended|lifted|removed|deactivated",
        r"\b(?:safety|content|ethical)\s+(?:filters?|guard(?:rail)?s?|rules|measures|protocols?|guidelines|restrictions)\b[^.]{0,12}\b(?:off|disabled|suspended|lifted|removed|deactivated)\b",
    ),
    (
        " as | like | in the ",
        rf"{_ORDER}(?:act|behave|speak|talk|write|answer|respond|reply)\s+(?:as (?:if|though) you|as (?:an?|my|the)\s+(?:[\w-]+\s+){{0,3}}(?:agent|expert|person|character|persona|bot|{_AI}"
        r"|sales\w*|advis[eo]r|hacker|pirate|teacher|customer|critic|translator|narrator|poet|friend)\b|like an?\s|in the (?:voice|style|tone|manner|role) of)"
        r"|\b(?:answer|reply|respond|speak|talk)\s+(?:as if|as though)\b|\bin the voice of\b",
    ),
    (
        "pretend|role|imperson|character|simulate|imagine",
        rf"(?:{_START}|{_YOU_MUST})pretend\s+(?:to be|that|you|the|this|as if)\b|\brole-?play(?:ing)? (?:as|an?|the)\b|{_START}role-?play\b|\bsimulate being\b|\bimagine (?:that )?you(?:'re| are) (?:an?|the) (?:\w+ ){{0,2}}{_AI}\b|\bimpersonate\b|\b(?:stay|remain) in character\b",
    ),
    (
        "your ",
        r"\byour (?:new|real|actual|true|only|sole) (?:task|job|goal|mission|objective|purpose|role|duty|persona)\b|\bit is (?:now )?your (?:duty|mission|job|task)\b"
        r"|\byour (?:next |final |own |whole |entire |every |first )?(?:answers?|repl(?:y|ies)|responses?|summar(?:y|ies))\b(?! (?:to|in|on) (?:the|our) (?:survey|poll|form|issue|thread))"
        r"|\binstructions? from your (?:operator|developer|owner|creator|user)\b|\bwhat (?:are|were|is|was) your (?:\w+ )?(?:instructions|prompt|rules|guidelines)\b"
        r"|\b(?:reveal|disclose|leak|expose|publish)\b[^.]{0,20}\byour (?:configuration|settings|training data|keys?|context)\b",
    ),
    # Dictating what to say, and to whom.
    (
        "you say|you answer|you reply|you write|you output|will say",
        r"\b(?:whatever|anything|everything) you (?:say|answer|reply|write|output)\b|\byou (?:will |must |shall |should )?(?:always |only )?say (?:yes|no)\b|\byou will say\b",
    ),
    (
        _REPLIES,
        rf"(?:{_START}|{_YOU_MUST})(?:begin|start|end|finish|close|open|prefix|preface|append|conclude)\b[^.]{{0,20}}\b(?:every|each|all|any|the|your) (?:answer|reply)s?\b"
        r"|\b(?:every|each|all|any|the) (?:answer|reply|replies)s?\b[^.]{0,40}\b(?:must|should|shall|has to|have to|is to)\b[^.]{0,12}\b(?:end|begin|start|contain|include|mention|say|state|be|cite|carry)\b"
        r"|\b(?:every|each|all|any) responses?\b[^.]{0,30}\b(?:must|should|shall|has to|have to)\b[^.]{0,30}(?:\b(?:phrase|words?|sentence|link|statement)\b|[\"“‘'])"
        r"|\b(?:answer|reply|response) to (?:every|any|all|each|whatever) (?:\w+ )?questions?\b|\b(?:correct|right|only|best) (?:answer|reply) is (?:always\b|[\"“‘'])"
        r"|\b(?:instead of|rather than|before) answering\b(?! machine)|\b(?:do not|don't|never|refuse to|no need to) answer (?:the|this|that|their|any|his|her)\b[^.]{0,16}\b(?:question|user|reader)"
        rf"|{_START}(?:always|only|never)\s+(?:answer|reply|respond)\s+(?:with|in|yes|no|if|that|by|the (?:user|reader|question|same)|questions|as|[\"“])"
        rf"|{_START}(?:answer|reply|respond)\s+(?:only|always)\b"
        rf"|(?:{_ORDER}|\band\s+)(?:answer|reply|respond)\s+(?:that\b|only\b|exactly\b|solely\b|nothing\b|always\b|with only\b|only with\b|with the (?:single |exact |following )?(?:words?|phrase|sentence|statement)\b"
        r"|[\"“]|yes\b|no\b(?! more)|so to\b|in (?:one word|capitals|rhymes?|verse|emoji)\b)"
        r"|\b(?:answer|reply|respond)(?:\s+only)?\s+in\s+(?:reverse|base ?64|french|english|german|chinese|spanish|latin|japanese|russian|italian|korean|arabic|another language)\b"
        r"|\b(?:respond|answer|reply) in \w+ only\b|\b(?:reply|answer|respond) that the (?:notes|documents?|passages?|sources?)\b"
        rf"|\b(?:summar(?:y|ies)|answers?)\s+(?:of|based on|drawn from|to)\s+(?:{_THIS})\b[^.]{{0,40}}\b(?:must|should|shall|has to|have to)\b"
        r"|\bis (?:enough|all you need|sufficient) to answer\b",
    ),
    (
        "say|state|speak|talk",
        rf"(?:{_ORDER}|\band\s+)(?:say|state)\s+(?:only\b|exactly\b|solely\b|so to\b|yes\b)|(?:{_ORDER})(?:say|state)\s+that\b|\b(?:please|simply|just|must|always|only)\s+say\s+[\"“]"
        rf"|(?:{_START}|{_YOU_MUST})(?:speak|talk)(?:\s+only)?\s+in\s+(?:french|english|german|chinese|spanish|latin|japanese|russian|rhymes?)\b|\b(?:say|state) that the (?:notes|documents?|passages?|sources?)\b",
    ),
    (
        "ask",
        rf"\b(?:when(?:ever)?|if|should|once)\s+(?:\w+\s+){{0,3}}ask(?:s|ed)?\b(?: you)?[^.]{{0,60}}?[, ]\s*(?:please |always |just |simply |you (?:must |should |will |are to )?)?{_SAY}\b",
    ),
    (
        "whatever|no matter|regardless|whichever",
        r"\b(?:whatever|no matter what|regardless of what|whichever)\s+(?:the )?(?:question|(?:the |a )?(?:user|reader|they|you)?\s*(?:are |is )?ask(?:s|ed)?)\b",
    ),
    (
        "recommend",
        rf"{_START}(?:always|only|never)\s+recommend\b|{_START}recommend\s+(?:only|always)\b",
    ),
    (
        f"{_THOSE}",
        rf"(?:{_START}|{_YOU_MUST}|\band\s+(?=tell|warn))(?:always |never )?(?:tell|inform|convince|advise|urge|persuade|encourage|warn(?= people|\s+(?:who|read|all|every)))\s+{_ASKER}[^.]{{0,40}}\b(?:that|to|into|at|about|not|how|run|visit|of)\b"
        rf"|\b(?:make sure|ensure|see to it)\b[^.]{{0,12}}{_ASKER}[^.]{{0,30}}\b(?:clicks?|visits?|opens?|follows|downloads?|believes?|installs?)\b"
        rf"|\b(?:do not|don't|never|must not|avoid)\s+(?:ever\s+)?(?:tell|inform|let|warn|show|alert)(?:ing)?\s+{_ASKER}"
        rf"|\b(?:so to|this to) every user\b|\bsay so\b[^.]{{0,12}}{_ASKER}|\bwarn people (?:away|off|against)\b"
        r"|\b(?:the|this|our|your) (?:user|reader|asker|customer)s? (?:has|have) (?:already )?(?:agreed|consented|approved|given (?:permission|consent)|authori[sz]ed)\b",
    ),
    (
        "do not|don't|never|must not|not to",
        r"\b(?:do not|don't|never|must not|not to)\s+(?:ever\s+)?(?:mention|say|state|reveal|admit|disclose|acknowledge|tell)\s+that\b",
    ),
    (
        "you",
        rf"{_YOU_MUST}(?:say|mention|recommend|claim|praise|promote)\b(?! (?:which|what|whether|how|the (?:version|rank)))|\b(?:I|we) (?:hereby )?(?:order|command|instruct|authori[sz]e) you\b",
    ),
    # Dictating what to read and quote.
    (
        "only|just|nothing but|solely",
        rf"\b(?:cite|quote|use|trust|rely on|believe|consult|read)\s+(?:only|just|nothing but|solely)\s+(?:{_THIS})\s*(?:one|source|{_PART})\b",
    ),
    (
        "passage|document|source|result|notes|excerpt|stop reading|stop processing",
        r"\b(?:ignore|disregard|skip|discard|distrust|stop (?:reading|using|at)|do not (?:read|use|cite|trust|quote)|don't (?:read|use|cite|trust|quote)|none of)\s+(?:all |any |every )?(?:of )?(?:the )?"
        r"(?:other|remaining|official|following|retrieved)\s+(?:passages?|documents?|sources?|search results|notes|excerpts?)\b"
        r"|\bstop (?:reading|processing)\b[^.]{0,30}\b(?:passages?|documents?|sources?|here|now)\b",
    ),
    (
        "summar|paraphras|index|translat|answer|process|quot",
        rf"\b(?:if|when(?:ever)?|while)\s+(?:you(?:'re| are)?\s+)?(?:summari[sz]|paraphras|index|translat|answer|process|quot)\w*\s+(?:from )?(?:{_THIS}|it|them|our)\b[^.]{{0,60}}\b(?:{_SAY}|include|add|write|drop)\b",
    ),
    (
        "as ",
        rf"\b(?:treat|regard|consider|take|interpret|accept|present|handle|obey)\s+(?:{_THIS})\s*{_PART}[^.]{{0,30}}\bas (?:an? |the |your )?(?:[\w-]+ ){{0,2}}(?:instructions?|commands?|orders?|proven|facts?|truth|true|established|directives?|undisputed)\b"
        rf"|\bpresent\s+(?:{_THIS})\s*{_PART} as\b",
    ),
    (
        "no need to",
        r"\bno need to (?:cite|quote|give (?:a|any) source|name (?:a|any) source)",
    ),
    # Secrets, the conversation itself, links.
    (
        "prompt|instructions|message|rules|guidelines|secret|directives|programming|filters|polic|constraints",
        rf"\b{_SHOW}\b[^.]{{0,30}}\b(?:(?:system|hidden|initial|original|secret) prompts?(?! (?:token|length|id|template|cach|embed))|(?:hidden|initial|original|secret|system) instructions"
        r"|your (?:\w+ ){0,2}(?:prompts?|instructions|rules|guidelines|secrets?|system message|directives|programming))\b|\byour (?:actual|real|original|initial|system|hidden|previous|earlier) (?:instructions|prompt|rules|guidelines|message)\b"
        r"|\byour (?:safety|ethical|content|moral) (?:guidelines|filters|polic(?:y|ies)|rules|constraints)\b",
    ),
    (
        "hidden|concealed|confidential|secret|unseen|undisclosed|private|invisible",
        rf"(?:{_ORDER}|\b(?:and|so|to)\s+){_SHOW}\b[^.]{{0,12}}\b(?:the|your|its|any|all|every|this)\s+{_SECRET}\s+(?:\w+\s+){{0,2}}(?:prompts?|instructions?|messages?|configuration|setup|directives?|content|text|rules|guidelines)\b",
    ),
    (
        "repeat",
        r"\brepeat\s+(?:everything|all|the (?:text|words|content|lines|messages?))\b[^.]{0,16}\b(?:above|before|preceding)\b|\brepeat\b[^.]{0,20}\b(?:above|everything|text|words|document|message|conversation|instructions|prompt)\b[^.]{0,30}\b(?:word for word|verbatim)\b",
    ),
    (
        "chat|conversation|session|dialogue|talk|discussion|topic",
        r"\bfor the (?:rest|remainder) of (?:this|the|our) (?:chat|conversation|session|dialogue|talk)\b|\b(?:steer|turn|lead|shift|guide) the (?:talk|conversation|discussion|chat|topic)\b",
    ),
    (
        "from now|from this|from here|henceforth",
        r"\b(?:from (?:now|this (?:message|point|line|moment)|here) on|henceforth)\b[^.]{0,40}\b(?:you (?:will|must|shall|are|answer|should)|answer|reply|respond|assistant)\b(?! requests?\b)",
    ),
    (
        "click",
        r"\bclick\b[^.]{0,30}\b(?:verify|claim|unlock|win|reward|prize|gift|log ?in|sign in|your (?:account|password))\b",
    ),
    (
        "append|add|include|insert|attach|put & answer|reply|replies|response you|whatever you",
        r"\b(?:append|add|include|insert|attach|put)\b[^.]{0,30}\b(?:link|address|url|https?)\b[^.]{0,30}\b(?:answer|reply|replies|response you|whatever you)\b",
    ),
)
