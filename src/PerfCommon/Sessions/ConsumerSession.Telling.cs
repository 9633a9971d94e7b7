using PerfCommon.Codec;

namespace PerfCommon.Sessions;

/// <content>What came for an item, told to each of its handles.</content>
public sealed partial class ConsumerSession
{
    private bool AreHandlesItems => _watched is null or { Handles.AreItems: true };

    private void TellUpdate(int item, scoped in UpdateHeader update)
    {
        ItemHandles handles = _watched!.Handles;
        for (int handle = handles.BeginTelling(item); handle >= 0; handle = handles.NextOf(handle))
        {
            if (handles.Takes(handle, beginsImage: false, isForAll: false))
                _handler.OnUpdate(handle, update);
        }

        EndTelling();
    }

    private void TellState(int item, scoped in RwfState state)
    {
        if (AreHandlesItems)
        {
            _handler.OnItemState(item, state);
            return;
        }

        ItemHandles handles = _watched!.Handles;
        for (int handle = handles.BeginTelling(item); handle >= 0; handle = handles.NextOf(handle))
        {
            if (handles.Takes(handle, beginsImage: false, isForAll: true))
                _handler.OnItemState(handle, state);
        }

        EndTelling();
    }

    private void Tell(int item, scoped in RwfMsg msg)
    {
        if (AreHandlesItems)
        {
            TellOne(item, msg);
            return;
        }

        ItemHandles handles = _watched!.Handles;
        bool beginsImage = msg.MsgClass == MsgClass.Refresh && _watched.BeginsImage(item);
        for (int handle = handles.BeginTelling(item); handle >= 0; handle = handles.NextOf(handle))
        {
            if (handles.Takes(handle, beginsImage, isForAll: msg.MsgClass == MsgClass.Status))
                TellOne(handle, msg);
        }

        EndTelling();
    }

    private void TellOne(int handle, scoped in RwfMsg msg)
    {
        switch (msg.MsgClass)
        {
            case MsgClass.Refresh:
                _handler.OnRefresh(handle, msg);
                break;
            case MsgClass.Status:
                _handler.OnStatus(handle, msg);
                break;
            case MsgClass.Update:
                _handler.OnFullUpdate(handle, msg);
                break;
            case MsgClass.Generic:
                _handler.OnGeneric(handle, msg);
                break;
            default:
                _handler.OnAck(handle, msg);
                break;
        }
    }

    // Who released a handle meanwhile leaves now.
    private void EndTelling()
    {
        _watched!.Handles.EndTelling();
        RemoveUnwanted();
    }
}
