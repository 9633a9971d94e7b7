using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Receives changes of many items of a service at once, from its directory.</summary>
internal interface IServiceItems
{
    /// <summary>Sets the state of the items of a group; of all groups when the group is empty.</summary>
    void SetState(ReadOnlySpan<byte> group, scoped in RwfState state);

    /// <summary>Moves the items of a group into another group.</summary>
    void MergeGroup(ReadOnlySpan<byte> group, ReadOnlySpan<byte> into);
}

/// <summary>Reads the changes of a service's items in one map entry of a directory message: the status of all items, and of groups.</summary>
internal static class ServiceItemsEntry // wire/domains 3.2
{
    /// <summary>Passes the changes on in their order; those before an error are passed on.</summary>
    /// <returns>False when the bytes cannot be decoded.</returns>
    public static bool TryApply(ReadOnlySpan<byte> content, IServiceItems items)
    {
        DecodeResult result = FilterListReader.TryOpen(content, out FilterListReader filters);
        while (result == DecodeResult.Success)
        {
            result = filters.TryReadNext(out FilterEntry filter);
            bool isOfItems = filter is { HasPayload: true, Id: DirectoryFilter.StateId or DirectoryFilter.GroupId };
            if (result == DecodeResult.Success && isOfItems && !TryApply(filter, items))
                return false;
        }

        return result is DecodeResult.EndOfContainer or DecodeResult.NoData;
    }

    private static bool TryApply(scoped in FilterEntry filter, IServiceItems items)
    {
        Change change = default;
        ElementHandler<Change> take = filter.Id == DirectoryFilter.GroupId ? TryReadGroup : TryReadStatus;
        if (filter.ContainerType != DataType.ElementList || !ElementLists.TryRead(filter.Content, default, ref change, take))
            return false;
        if (filter.Id == DirectoryFilter.GroupId && change.Group is not { Length: > 0 })
            return true; // the message has no group
        if (change.IsState)
            items.SetState(change.Group, new RwfState(change.Stream, change.Data, change.Code, change.Text));
        if (change.MergedTo is not null)
            items.MergeGroup(change.Group, change.MergedTo);
        return true;
    }

    private static bool TryReadGroup(scoped in ElementEntry element, ref Change change)
    {
        bool isGroup = element.Name.SequenceEqual(DirectoryElements.Group);
        if (!isGroup && !element.Name.SequenceEqual(DirectoryElements.MergedToGroup))
            return TryReadStatus(element, ref change);
        byte[] group = element.Content.ToArray();
        change = isGroup ? change with { Group = group } : change with { MergedTo = group };
        return element.Type == DataType.Buffer;
    }

    private static bool TryReadStatus(scoped in ElementEntry element, ref Change change)
    {
        if (!element.Name.SequenceEqual(DirectoryElements.Status))
            return true;
        if (element.Type != DataType.State || RwfPrimitives.TryReadState(element.Content, out RwfState state) > DecodeResult.Blank)
            return false;
        change = change with
        {
            IsState = true,
            Stream = state.StreamState,
            Data = state.DataState,
            Code = state.Code,
            Text = state.Text.ToArray()
        };
        return true;
    }

    // Content of one filter entry.
    private readonly record struct Change(
        byte[]? Group, byte[]? MergedTo, bool IsState, StreamState Stream, DataState Data, StateCode Code, byte[]? Text);
}
