using PerfCommon.Workers;

namespace ConsPerf;

/// <summary>The notices of ConsPerf.</summary>
internal static class ConsumerNotices
{
    public static readonly NoticeKind UnknownField =
        NoticeKind.Warning(311, "UnknownField", "Warning: field {Field} is not in the dictionary; such fields are skipped and counted.");

    public static readonly NoticeKind NoItemsMarked = NoticeKind.Warning(312, "NoItemsMarked", "None of the items of this connection is marked to {What}.");
    public static readonly NoticeKind AllBack = NoticeKind.Information(313, "AllItemsBack", "All {Items} items are back.");
}
