using PerfCommon.Codec;

namespace PerfCommon.Sessions;

/// <summary>Notifies a handler of an item's events: in a watchlist once for each handle of the item. One owner thread.</summary>
/// <remarks>
/// Methods that return true may have released handles: an item left without handles is to be removed then.
/// </remarks>
/// <param name="handler">The handler.</param>
/// <param name="watched">The watchlist; null where items are their own handles.</param>
internal sealed class HandleDispatcher(ConsumerHandler handler, WatchedItems? watched)
{
    /// <summary>True while each item has one handle, with its own number.</summary>
    public bool AreHandlesItems => watched is null or { Handles.AreItems: true };

    public bool DispatchUpdate(int item, scoped in UpdateHeader update)
    {
        ItemHandles handles = watched!.Handles;
        for (int handle = handles.BeginDispatch(item); handle >= 0; handle = handles.NextOf(handle))
        {
            if (handles.Accepts(handle, beginsImage: false, isForAll: false))
                handler.OnUpdate(handle, update);
        }

        handles.EndDispatch();
        return true;
    }

    public bool DispatchState(int item, scoped in RwfState state)
    {
        if (AreHandlesItems)
        {
            handler.OnItemState(item, state);
            return false;
        }

        ItemHandles handles = watched!.Handles;
        for (int handle = handles.BeginDispatch(item); handle >= 0; handle = handles.NextOf(handle))
        {
            if (handles.Accepts(handle, beginsImage: false, isForAll: true))
                handler.OnItemState(handle, state);
        }

        handles.EndDispatch();
        return true;
    }

    public bool Dispatch(int item, scoped in RwfMsg msg)
    {
        if (AreHandlesItems)
        {
            DispatchOne(item, msg);
            return false;
        }

        ItemHandles handles = watched!.Handles;
        bool beginsImage = msg.MsgClass == MsgClass.Refresh && watched.BeginsImage(item);
        for (int handle = handles.BeginDispatch(item); handle >= 0; handle = handles.NextOf(handle))
        {
            if (handles.Accepts(handle, beginsImage, isForAll: msg.MsgClass == MsgClass.Status))
                DispatchOne(handle, msg);
        }

        handles.EndDispatch();
        return true;
    }

    private void DispatchOne(int handle, scoped in RwfMsg msg)
    {
        switch (msg.MsgClass)
        {
            case MsgClass.Refresh:
                handler.OnRefresh(handle, msg);
                break;
            case MsgClass.Status:
                handler.OnStatus(handle, msg);
                break;
            case MsgClass.Update:
                handler.OnFullUpdate(handle, msg);
                break;
            case MsgClass.Generic:
                handler.OnGeneric(handle, msg);
                break;
            default:
                handler.OnAck(handle, msg);
                break;
        }
    }
}
