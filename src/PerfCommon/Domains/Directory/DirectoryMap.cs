using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Handles the entry of one service; false when it cannot be used.</summary>
internal delegate bool ServiceHandler<T>(scoped in MapEntry entry, ushort serviceId, DataType containerType, ref T into);

/// <summary>Reads the services of a directory message.</summary>
internal static class DirectoryMap
{
    /// <summary>Passes every entry to <paramref name="take"/>; a message without payload has none.</summary>
    /// <returns>False when the bytes cannot be decoded or an entry was refused; entries handled before it remain.</returns>
    public static bool TryRead<T>(scoped in RwfMsg msg, ref T into, ServiceHandler<T> take)
    {
        if (msg.Payload.IsEmpty)
            return true;
        if (msg.ContainerType != DataType.Map // wire/domains 3.2
            || MapReader.TryOpen(msg.Payload, out MapReader services) != DecodeResult.Success
            || services.KeyType != DataType.UInt)
        {
            return false;
        }

        DecodeResult result;
        while ((result = services.TryReadNext(out MapEntry entry)) == DecodeResult.Success)
        {
            if (RwfPrimitives.TryReadUInt(entry.Key, out ulong id) != DecodeResult.Success || id > ushort.MaxValue) // wire/domains 3.4
                return false;
            if (!take(entry, (ushort)id, services.Shared.ContainerType, ref into))
                return false;
        }

        return result == DecodeResult.EndOfContainer;
    }
}
