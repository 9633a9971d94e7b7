namespace PerfCommon.Transport;

internal sealed partial class FrameReader
{
    private byte[] _inflated = [];
    private byte[] _part = [];
    private int _partBytes;
    private byte _partFlags;
    private Fragment _partFragment;
    private bool _partIsOpen;

    /// <summary>Inflates a compressed frame, or keeps the first part of a split one and joins the second to it.</summary>
    /// <returns>True when array, range, flags and fragment describe a body that is processed like an uncompressed one.</returns>
    private bool TryInflate(ref byte[] array, ref int at, ref int end, ref byte flags, ref Fragment fragment) // wire/transport 5.4
    {
        if (compressor is null)
            return Fail("a frame is compressed, which was not agreed"); // wire/transport 10
        bool isFirstPart = (flags & FrameLayout.CompressedPartFlag) != 0;
        if (_partIsOpen && isFirstPart)
            return Fail("a compressed body is split into more than two parts"); // wire/transport 10
        if (!_partIsOpen && (flags & FrameLayout.ExtendedFlag) != 0 && !TryReadExtended(array, ref at, end, out fragment))
            return false;

        ReadOnlySpan<byte> body = array.AsSpan(at, end - at);
        if (isFirstPart || _partIsOpen)
            AppendPart(body);
        if (isFirstPart)
        {
            (_partFlags, _partFragment, _partIsOpen) = (flags, fragment, true);
            return false;
        }

        if (_partIsOpen)
        {
            body = _part.AsSpan(0, _partBytes);
            (flags, fragment, _partIsOpen) = (_partFlags, _partFragment, false);
        }

        return TryInflateBody(body, ref array, ref at, ref end);
    }

    private bool TryInflateBody(ReadOnlySpan<byte> body, ref byte[] array, ref int at, ref int end)
    {
        int room = _maxMessageBytes + FrameLayout.HeaderBytes; // wire/transport 5.6
        if (_inflated.Length == 0)
            _inflated = _pool.Rent(room);
        int count = compressor!.Inflate(body, _inflated.AsSpan(0, room));
        _partBytes = 0;
        if (count < 0)
            return Fail($"a compressed body is malformed or inflates to more than {room} bytes"); // wire/transport 10
        (array, at, end) = (_inflated, 0, count);
        return true;
    }

    private void AppendPart(ReadOnlySpan<byte> body)
    {
        if (_part.Length == 0)
            _part = _pool.Rent(2 * ushort.MaxValue);
        body.CopyTo(_part.AsSpan(_partBytes));
        _partBytes += body.Length;
    }

    private void ReleaseInflated()
    {
        _pool.Return(_inflated);
        _pool.Return(_part);
        (_inflated, _part) = ([], []);
    }
}
