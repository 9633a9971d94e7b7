using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Effect of a refresh or status on its item.</summary>
public enum ItemChange : byte
{
    /// <summary>Part of an image, or a status that changes nothing.</summary>
    None,

    /// <summary>The item has its image.</summary>
    Image,

    /// <summary>Its data is valid again.</summary>
    Good,

    /// <summary>The stream remains open and its data is suspect: a temporary image, or a warning.</summary>
    Suspect,

    /// <summary>Nothing more will arrive for the item.</summary>
    Closed,
}

/// <summary>Determines what an answer of a provider changes for its item.</summary>
public static class ItemChanges
{
    /// <summary>Classifies the effect of a refresh or status on its item.</summary>
    public static ItemChange Of(scoped in RwfMsg msg) // wire/domains 5.4
    {
        bool isRefresh = msg.MsgClass == MsgClass.Refresh;
        if (!isRefresh && !msg.Has(StatusFlags.HasState))
            return ItemChange.None;
        ItemChange change = Of(msg.State);
        return isRefresh && change == ItemChange.Good
            ? (msg.Has(RefreshFlags.RefreshComplete) ? ItemChange.Image : ItemChange.None) : change;
    }

    /// <summary>Classifies the effect of a state on its item.</summary>
    public static ItemChange Of(scoped in RwfState state) // wire/domains 5.4
    {
        if (DomainMsg.IsFinal(state))
            return ItemChange.Closed;
        return state.DataState switch
        {
            DataState.Suspect => ItemChange.Suspect,
            DataState.Ok => ItemChange.Good,
            _ => ItemChange.None,
        };
    }

    /// <summary>Describes a state with its text, such as <c>Closed/Suspect/NotEntitled "no such user"</c>.</summary>
    public static string Describe(scoped in RwfState state) => DomainMsg.Show(state);
}
