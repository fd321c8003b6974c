"""Words of broad questions: those one asks with, and those that tell what kind of answer is asked for."""

from __future__ import annotations

import re

from assistant.query.bound_words import UPGRADES
from ingest.status import MATURITIES, Status

#: Words one asks with in English; they name no topic.
_ASKING_EN = (
    r"a|an|the|this|that|these|those|there|it|its|one|ones|i|im|we|you|me|us|my|our|your|am|is|are|was|were|be|been"
    r"|do|does|did|has|have|had|can|could|would|should|shall|will|may|might|must|want|need|needs|needed|like|please|hi|hello|thanks"
    r"|of|in|on|at|to|into|from|for|by|with|and|or|but|not|if|so|than|then|as|since|until|till|up|out|all|about|between|against|versus|vs"
    r"|before|after|when|while|now|currently|still|just|only|also|already|what|whats|which|who|how|why|whether"
    r"|show|tell|give|get|gets|got|see|say|says|know|known|bug|bugfix\w*|fix|fixes|regressions?|look|watch|check|explain|describe|expect|happens?|happened|matters?|mean|means?"
    r"|new|news|newer|newest|latest|recent|current|old|older|previous|last|next|changes?|changed|changing|changelog|differs?|different"
    r"|differences?|compar\w+|features?|improve\w*|highlights?|headlines?|summar\w+|overview|recap|brief|briefly|short|quick|quickly"
    r"|releases?|released|versions?|notes?|pytorch|torch|py|lists?|listed|every|everything|anything|something|any|some|each|both|whole|complete"
    r"|full|things?|stuff|items?|points?|major|main|minor|big|biggest|most|more|much|many|important|key|top|interesting|notable|worth|worthwhile"
    r"|upgrad\w+|updat\w+|migrat\w+|moves?|moving|go|goes|going|switch\w*|jump\w*|bump\w*|stay|staying|using|use|running|run|am|coming|come"
    r"|watch|careful|aware|ready|safe|safely|risks?|risky|impact|affects?|affected|gains?|benefits?|advantages?|reasons?|pros|cons|win|wins"
    r"|bring\w*|add|adds|added|additions?|introduc\w+|includ\w+|contain\w*|offers?|ship|ships|break\w*|broke|broken|incompatib\w*|compatib\w*"
    r"|backwards?|deprecat\w+|code|codebase|project|guide|checklist|plan|status|stage|label\w*|mark\w*|tagged|way|along|per|group\w*|else"
    r"|concern\w*|relat\w+|involv\w+|touch\w*|mention\w*|regarding|advice|advise|recommend\w*|deal|better|good|bad|wrong|problems?|issues?"
)
#: The same in Chinese, where words are not separated.
_ASKING_ZH = (
    r"最近|近期|新(?:东西|功能|特性|内容|变化|玩意儿?|增)?|更新|变化|变动|改动|变更|改进|改变|改了|改|变成|变|亮点|看点|重点|重要|主要|关键|核心|大的?|概览|概况|概述|概要"
    r"|总结|综述|归纳|介绍|讲讲|讲|说说|说明|说|聊聊|简单|简要|简短|一句话|版本?|发布|发行|推出|带来|带|加入|加|增加|添加|引入|包含|包括|涉及|有关|相关"
    r"|关于|沾边|提到|东西|内容|功能|特性|特点|事项|事情|事|地方|方面|情况|条目|项目?|比较|对比|比|差在|多|少|区别|不同|差别|差异|相比|相对|之间|两个?|和|与|跟|同|及|或"
    r"|从|到|至|在|于|由|把|将|被|升级|升到|升|迁移|换到|换|切换|更换|该不该|该|应该|应当|应|要不要|需不需要|需要|需|要|值不值得?|值得|值|建议|推荐|适合"
    r"|可以|能不能|能|可|会不会|会|注意|留意|小心|当心|影响|坏|破坏|挂|踩坑|坑|问题|已知|回归|修复|缺陷|错误|风险|攻略|指南|清单|步骤|不兼容|兼容|弃用|废弃|好处|收益|优势|优点|理由|得到|获得"
    r"|列出来|列出|列举|列|一下|下|出来|全部|所有|全|每个|每|各|分别|都|还|也|就|再|又|很|最|更|比较|有没有|有|没有|没|无|是否|是|不是|为|哪些|哪几个?|哪"
    r"|什么|啥|怎么样|怎么|怎样|如何|多少|几个?|请问|请|帮我|帮|给我|给|告诉|想|知道|看看|看|了解|我们|我|你|咱们|它|这个|那个|这|那|一共|总共|一些|些|个|种|条"
    r"|的|地|得|了|着|过|吗|呢|吧|啊|呀|么|嘛|里面|里|中|上|时候|时|后|前|之后|之前|以后|以前|现在|目前|当前|正在|用|最新|新版|旧版|老版|上一个|下一个|不|代码"
    r"|处于|处在|属于|标为|标记|状态|阶段|直接|一口气|跨|期间|一路|哈|对|做"
)
ASKING = re.compile(rf"(?<![A-Za-z])(?:{_ASKING_EN})(?:['’][a-z]+)?(?![A-Za-z])|{_ASKING_ZH}", re.I)
NUMBER = re.compile(r"(?<![A-Za-z_])v?\d+(?:\.(?:\d+|[x*]))*\+?(?![A-Za-z_])", re.I)
#: Signals of each kind, besides that no topic is named.
#: Of an upgrade: that one moves, or doubts whether to.
MOVES = re.compile(
    rf"{UPGRADES.pattern}|\bupdat(?:e|ing) (?:from|to)\b|\bupdate\W*$|(?<![提上])升(?![序高])|更新到", re.I
)
DOUBTS = re.compile(
    r"\bworth\b|\bsafe\b|\bbreaks?\b|\bproblems?\b|\bshould (?:i|we) (?:move|go|switch|jump|use|update|stay)\b"
    r"|\bgains?\b|\bbenefits?\b|值得|该不该|要不要|坑|问题|好处|收益",
    re.I,
)
#: Of the reasons for an upgrade, and of those against it.
REASONS_FOR = re.compile(r"\bgains?\b|\bbenefits?\b|\bwhy\b|好处|收益|为什么|得到", re.I)
REASONS_AGAINST = re.compile(
    r"\bbreak|\bproblem|\brisk|\bcareful\b|\bwatch\b|坏|坑|问题|风险|注意|不兼容", re.I
)
NEWS = re.compile(
    r"\bnew(?:s|est)?\b|\bchang|\blatest\b|\bhighlight|\boverview\b|新|更新|变化|改动|亮点|概览", re.I
)
COMPLETE = re.compile(
    r"\ball\b|\bevery(?:thing)?\b|\blist\b|\b(?:which|what) (?:\w+ )?(?:changes|features|improvements|items)\b"
    r"|列|全部|所有|都有|(?:哪些|哪几个?)(?:改动|变化|变更|功能|特性|更新)",
    re.I,
)
#: A release that is the user's own: "I am on 2.3", "目前用的是 2.3".
OWN = re.compile(
    r"(?:\b(?:i'?m|we'?re|am|are|currently|still|now|already|stay(?:ing)?|stuck)(?: \w+)? (?:on|at|using|running|with)|\busing|\brunning"
    r"|(?:现在|目前|当前|还在?|正在|一直|我们?)\s*(?:在?用(?:的是|着|的)?|是|停在|跑的?是?)?)\s*(?:pytorch|torch|releases?|versions?|版本)?\s*$",
    re.I,
)
#: Statuses of the sections that a question for a list wants, besides those that a question may name in passing.
LISTED: tuple[tuple[tuple[Status, ...], re.Pattern[str]], ...] = (
    (("regression",), re.compile(r"\bknown (?:issues?|regressions?)\b|已知(?:问题|回归)", re.I)),
    (("bug-fix",), re.compile(r"\bbug ?fix(?:es)?\b|(?:缺陷|错误|bug) ?修复", re.I)),
    (
        ("improvement",),
        re.compile(r"\b(?:list|all|which) .*improvements?\b|(?:列|全部|所有|哪些).*改进", re.I),
    ),
    (
        (*MATURITIES, "new"),
        re.compile(
            r"\b(?:list|all|every|each)\b.*\bnew features?\b|(?:列|全部|所有).*新(?:功能|特性)|新(?:功能|特性).*列",
            re.I,
        ),
    ),
)
